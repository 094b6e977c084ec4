-- Corrections by a person. The provider moved another amount than was asked for, or took money back: clearing.<provider> is made true by
-- one more transfer, and never by changing one. suspense holds what came in or went out and belongs to nobody yet.
--
-- Invariants: an adjustment has a reason and an actor; it is exactly one transfer, of the same accounts and amount; it never changes; it
-- never touches refunds.payable, whose money only leaves for the refund that it came in for.
alter table ledger_accounts
  drop constraint ledger_accounts_code_check,
  add constraint ledger_accounts_code_check check (
    code in ('merchant.payable', 'refunds.payable', 'fee.revenue', 'bank.clearing', 'suspense') or code ~ '^clearing\.[a-z0-9-]+$');

create table ledger_adjustments (
  merchant_id  uuid        not null references books (id),
  id           uuid        not null,
  payment_id   uuid,
  debit_code   text        not null,
  credit_code  text        not null,
  currency     text        not null,
  amount_minor bigint      not null check (amount_minor > 0),
  reason       text        not null check (length(btrim(reason)) between 1 and 300),
  actor        text        not null check (length(btrim(actor)) between 1 and 200),
  created_at   timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, payment_id) references payments (merchant_id, id),
  check (debit_code <> credit_code)
);
create trigger ledger_adjustments_append_only before update or delete on ledger_adjustments
  for each row execute function refuse_change();
create trigger ledger_adjustments_no_truncate before truncate on ledger_adjustments
  for each statement execute function refuse_change();

alter table ledger_transfers
  alter column payment_id drop not null,
  add constraint ledger_transfers_of_payment check (payment_id is not null or kind = 'adjustment'),
  drop constraint ledger_transfers_kind_check,
  add constraint ledger_transfers_kind_check
    check (kind in ('capture', 'fee', 'duplicate_capture', 'refund_reserve', 'refund_paid', 'refund_released', 'adjustment')),
  drop constraint ledger_transfers_ways,
  add constraint ledger_transfers_ways check (case kind
    when 'capture' then debit_code like 'clearing.%' and credit_code = 'merchant.payable'
    when 'fee' then debit_code = 'merchant.payable' and credit_code = 'fee.revenue'
    when 'duplicate_capture' then debit_code like 'clearing.%' and credit_code = 'refunds.payable'
    when 'refund_reserve' then debit_code = 'merchant.payable' and credit_code = 'refunds.payable'
    when 'refund_paid' then debit_code in ('refunds.payable', 'merchant.payable') and credit_code like 'clearing.%'
    when 'refund_released' then debit_code = 'refunds.payable' and credit_code = 'merchant.payable'
    when 'adjustment' then 'refunds.payable' not in (debit_code, credit_code) and 'bank.clearing' not in (debit_code, credit_code)
  end);

create function ledger_transfers_guard_adjustment() returns trigger language plpgsql as $$
begin
  if not exists (
    select from ledger_adjustments a
    where a.merchant_id = new.merchant_id and a.id = new.cause_id and a.payment_id is not distinct from new.payment_id
      and (a.debit_code, a.credit_code, a.currency, a.amount_minor) = (new.debit_code, new.credit_code, new.currency, new.amount_minor)
  ) then
    raise exception 'the transfer % has no such adjustment', new.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger ledger_transfers_of_adjustment before insert on ledger_transfers
  for each row when (new.kind = 'adjustment') execute function ledger_transfers_guard_adjustment();

create function ledger_adjustments_guard_transfer() returns trigger language plpgsql as $$
begin
  if not exists (
    select from ledger_transfers
    where merchant_id = new.merchant_id and cause_id = new.id and kind = 'adjustment'
  ) then
    raise exception 'the adjustment % has no transfer', new.id using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_adjustments_are_booked after insert on ledger_adjustments
  deferrable initially deferred for each row execute function ledger_adjustments_guard_transfer();

-- How much a person has found that the provider moved for an attempt that failed. It stands on suspense.
alter table payment_attempts
  add column moved_minor bigint check (moved_minor > 0),
  add constraint payment_attempts_moved_by_failed check (moved_minor is null or status in ('failed', 'held'));

-- An amount that a provider took back is not refunded too: refunds, done and under way, and reversals, open and booked, never exceed
-- the charge. A reversal waits behind the lock of its payment, as a refund does.
create function refunds_guard_reversed() returns trigger language plpgsql as $$
declare
  charged bigint;
  taken_back bigint;
begin
  select amount_minor into charged from payment_attempts where merchant_id = new.merchant_id and id = new.attempt_id;
  select coalesce(sum(case when resolved_at is null then coalesce(amount_minor, charged) else coalesce(booked_minor, 0) end), 0)
    into taken_back
    from payment_anomalies
    where merchant_id = new.merchant_id and payment_id = new.payment_id and attempt_id = new.attempt_id
      and refund_id is null and kind in ('reversed', 'contradicted');
  if taken_back > 0 and taken_back + new.amount_minor + (
    select coalesce(sum(amount_minor), 0) from refunds
    where merchant_id = new.merchant_id and payment_id = new.payment_id and attempt_id = new.attempt_id and status <> 'failed'
  ) > charged then
    raise exception 'the provider has taken the charge % back', new.attempt_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger refunds_not_reversed before insert on refunds
  for each row when (new.origin = 'merchant') execute function refunds_guard_reversed();

-- The sums of the ledger and of the refunds for each payment beside those of the payment. A row is a fault.
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
  from ledger_transfers where payment_id is not null group by merchant_id, payment_id, currency
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
-- if it failed. The merchant paid a refund that was paid after its release.
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
