-- What an attempt asked of whom, of which number and how much does not change, and one whose money is booked stays so.
create function payment_attempts_keep_facts() returns trigger language plpgsql as $$
begin
  raise exception 'the facts of attempt % do not change', old.id using errcode = 'restrict_violation';
end $$;
create trigger payment_attempts_facts before update on payment_attempts for each row
  when ((old.merchant_id, old.id, old.payment_id, old.provider, old.method, old.msisdn, old.amount_minor, old.currency)
    is distinct from (new.merchant_id, new.id, new.payment_id, new.provider, new.method, new.msisdn, new.amount_minor, new.currency)
    or (old.status in ('completed', 'duplicate') and new.status <> old.status))
  execute function payment_attempts_keep_facts();

-- A refund gives back a charge of its own payment. The index that finds a payment's attempts is the one that this leans on.
drop index payment_attempts_of_payment;
alter table payment_attempts add constraint payment_attempts_of_payment unique (merchant_id, payment_id, id);
alter table refunds
  drop constraint refunds_merchant_id_attempt_id_fkey,
  add constraint refunds_of_its_payment foreign key (merchant_id, payment_id, attempt_id)
    references payment_attempts (merchant_id, payment_id, id);

-- What the ledger and the refunds must say of each payment, beside what the payment says. Empty, or something is wrong.
create or replace view payment_ledger_drift as
-- By payment: gross and fee when it is paid, what was given back, and what is set aside for it; all in its own currency.
select coalesce(p.merchant_id, booked.merchant_id) as merchant_id, coalesce(p.id, booked.payment_id) as payment_id
from payments p
full join (
  select merchant_id, payment_id, currency,
    coalesce(sum(amount_minor) filter (where kind = 'capture'), 0) as gross,
    coalesce(sum(amount_minor) filter (where kind = 'fee'), 0) as fee,
    coalesce(sum(amount_minor) filter (where kind = 'refund_reserve'), 0)
      - coalesce(sum(amount_minor) filter (where kind = 'refund_released'), 0)
      -- Paid after it had been refused: out of what the merchant is owed, for its reserve is gone.
      + coalesce(sum(amount_minor) filter (where kind = 'refund_paid' and debit_code = 'merchant.payable'), 0) as given_back
  from ledger_transfers group by merchant_id, payment_id, currency
) as booked on booked.merchant_id = p.merchant_id and booked.payment_id = p.id and booked.currency = p.currency
left join (
  select merchant_id, payment_id, currency,
    coalesce(sum(amount_minor) filter (where status = 'completed'), 0) as done,
    coalesce(sum(amount_minor) filter (where status not in ('completed', 'failed')), 0) as underway
  from refunds where origin = 'merchant' group by merchant_id, payment_id, currency
) as asked on asked.merchant_id = p.merchant_id and asked.payment_id = p.id and asked.currency = p.currency
where p.id is null
  or coalesce(booked.gross, 0) <> case when p.completed_at is null then 0 else p.amount_minor end
  or coalesce(booked.fee, 0) <> coalesce(p.fee_minor, 0)
  or coalesce(booked.given_back, 0) <> p.refunded_minor + p.refund_pending_minor
  or coalesce(asked.done, 0) <> p.refunded_minor
  or coalesce(asked.underway, 0) <> p.refund_pending_minor
union
-- By refund: its whole amount was set aside, of the merchant's money or of what was paid twice; it was paid if it is done, and released
-- if it failed. One that was paid after it had been released was paid by the merchant.
select coalesce(r.merchant_id, moved.merchant_id), coalesce(r.payment_id, moved.payment_id)
from refunds r
full join (
  select merchant_id, payment_id, currency, cause_id,
    coalesce(sum(amount_minor) filter (where kind = 'refund_reserve'), 0) as reserved,
    coalesce(sum(amount_minor) filter (where kind = 'duplicate_capture'), 0) as came_twice,
    coalesce(sum(amount_minor) filter (where kind = 'refund_released'), 0) as released,
    coalesce(sum(amount_minor) filter (where kind = 'refund_paid'), 0) as paid,
    coalesce(sum(amount_minor) filter (where kind = 'refund_paid' and debit_code = 'merchant.payable'), 0) as paid_by_merchant
  from ledger_transfers where kind in ('refund_reserve', 'duplicate_capture', 'refund_released', 'refund_paid')
  group by merchant_id, payment_id, currency, cause_id
) as moved on moved.merchant_id = r.merchant_id and moved.payment_id = r.payment_id and moved.currency = r.currency
  and moved.cause_id = r.id
where r.id is null or moved.cause_id is null
  or moved.reserved <> case r.origin when 'merchant' then r.amount_minor else 0 end
  or moved.came_twice <> case r.origin when 'duplicate' then r.amount_minor else 0 end
  or moved.paid <> case r.status when 'completed' then r.amount_minor else 0 end
  or moved.released <> case r.status when 'failed' then r.amount_minor else moved.paid_by_merchant end
  or (r.origin = 'duplicate' and moved.paid_by_merchant <> 0);
