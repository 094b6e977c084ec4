-- A success that does not fit its payment is held, and several may be: two late ones, or one beside a try that is still open.
-- The index counts only what may still succeed; a new try while something is held is refused behind the payment's lock.
drop index payment_attempts_one_open;
create unique index payment_attempts_one_open on payment_attempts (merchant_id, payment_id)
  where status in ('sending', 'pending', 'unknown');

-- What was asked of a provider is the only trace of money that may have moved.
create trigger payment_attempts_kept before delete on payment_attempts for each row execute function refuse_change();
create trigger refunds_kept before delete on refunds for each row execute function refuse_change();
create trigger payments_no_truncate before truncate on payments for each statement execute function refuse_change();
create trigger payment_attempts_no_truncate before truncate on payment_attempts
  for each statement execute function refuse_change();
create trigger refunds_no_truncate before truncate on refunds for each statement execute function refuse_change();
