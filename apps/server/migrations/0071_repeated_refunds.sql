-- The requester of a refund without an idempotency key and without the amount refunded so far: a session or an application key. Null where
-- the request was protected by one of these, or where the gateway itself refunds.
alter table refunds add column requested_by uuid;

-- Invariant: the same request within ten minutes is one refund. The payment's lock orders the requests, whoever inserts.
create function refunds_refuse_repetition() returns trigger language plpgsql as $$
begin
  perform from payments where merchant_id = new.merchant_id and id = new.payment_id for no key update;
  if exists (
    select from refunds
    where merchant_id = new.merchant_id and payment_id = new.payment_id and requested_by = new.requested_by
      and (amount_minor, currency) = (new.amount_minor, new.currency) and status <> 'failed'
      and created_at > new.created_at - interval '10 minutes'
  ) then
    raise exception 'the same refund of payment % was requested less than ten minutes ago', new.payment_id
      using errcode = 'unique_violation', constraint = 'refunds_no_repetition';
  end if;
  return new;
end $$;
create trigger refunds_no_repetition before insert on refunds
  for each row when (new.requested_by is not null) execute function refunds_refuse_repetition();
