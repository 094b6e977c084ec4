-- duplicate: it was paid although its payment was paid already. Its money is the payer's, and goes back.
alter table payment_attempts
  add column held_because text,
  drop constraint payment_attempts_status_check,
  add constraint payment_attempts_status_check
    check (status in ('sending', 'pending', 'unknown', 'held', 'completed', 'failed', 'duplicate')),
  add constraint payment_attempts_duplicate_is_over check (status <> 'duplicate' or next_check_at is null);

-- Invariant: a payment is paid by one attempt.
create unique index payment_attempts_one_completed on payment_attempts (merchant_id, payment_id) where status = 'completed';
