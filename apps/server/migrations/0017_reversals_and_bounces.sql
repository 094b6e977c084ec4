-- Money that moves at a provider after a payment is completed: reversals, reversals that are undone, refunds that come back, and refunds that
-- nobody claims.

-- reversed_minor: the amount that the provider has taken back from the payer's charge, as operators have booked it, less what it has returned.
alter table payments add column reversed_minor bigint not null default 0;

-- Invariant: refunds, paid and in progress, and reversals never exceed the captured amount, under any race. The fee is within that amount too.
alter table payments
  add constraint payments_reversed_minor check (reversed_minor >= 0) not valid,
  add constraint payments_reversed_when_paid check (reversed_minor = 0 or completed_at is not null) not valid,
  add constraint payments_returned_within_amount
    check (refunded_minor + refund_pending_minor + reversed_minor <= coalesce(captured_minor, amount_minor)) not valid,
  add constraint payments_fee_within_captured check (fee_minor between 0 and coalesce(captured_minor, amount_minor)) not valid;

-- A refunded payment is completed again when one of its refunds bounces.
create or replace function payments_guard_moves() returns trigger language plpgsql as $$
begin
  if (new.account_id, new.id, new.application_id, new.amount_minor, new.currency, new.created_at, new.capture_mode)
     is distinct from (old.account_id, old.id, old.application_id, old.amount_minor, old.currency, old.created_at, old.capture_mode)
     or (old.captured_minor is not null and new.captured_minor is distinct from old.captured_minor) then
    raise exception 'the facts of payment % do not change', old.id using errcode = 'restrict_violation';
  end if;
  if new.status <> old.status and (old.status, new.status) not in (
    ('pending', 'authorized'), ('pending', 'completed'), ('pending', 'failed'), ('authorized', 'completed'), ('authorized', 'failed'),
    ('failed', 'completed'), ('completed', 'refunded'), ('refunded', 'completed')
  ) then
    raise exception 'payment % cannot move from % to %', old.id, old.status, new.status using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- bounced_at: the provider reported a completed refund as failed, and returned its amount. Another refund, whose replaces_id names the
-- bounced one, owes the amount to the payer again. unclaimed_at: the refund of a duplicate charge whose payer cannot be reached; its amount is
-- on unclaimed.payable until the payer claims it.
alter table refunds
  add column bounced_at timestamptz,
  add column replaces_id uuid,
  add column unclaimed_at timestamptz;
alter table refunds
  add constraint refunds_bounced check (bounced_at is null or status = 'failed') not valid,
  add constraint refunds_unclaimed check (unclaimed_at is null or (origin = 'duplicate' and status in ('failed', 'completed'))) not valid,
  drop constraint refunds_duplicate_stays,
  add constraint refunds_duplicate_stays
    check (origin <> 'duplicate' or status <> 'failed' or num_nonnulls(bounced_at, unclaimed_at) > 0) not valid;

-- Invariant: the charge, amount and origin of a refund never change, and a completed refund stays completed unless it bounces, once.
create or replace trigger refunds_keep_facts before update on refunds for each row
  when ((old.account_id, old.id, old.payment_id, old.attempt_id, old.amount_minor, old.currency, old.origin, old.replaces_id)
    is distinct from (new.account_id, new.id, new.payment_id, new.attempt_id, new.amount_minor, new.currency, new.origin, new.replaces_id)
    or (old.status = 'completed' and new.status <> 'completed' and new.bounced_at is null)
    or (old.status <> 'completed' and old.bounced_at is distinct from new.bounced_at)
    or (old.bounced_at is not null and new.status <> 'failed')
    or (old.unclaimed_at is not null and old.unclaimed_at is distinct from new.unclaimed_at))
  execute function refunds_keep_facts();
create or replace trigger refunds_guard_moves before update on refunds for each row
  when (new.status <> old.status and old.status || ' ' || new.status <> all (array[
    'sending pending', 'sending unknown', 'sending awaiting_operator', 'sending completed', 'sending failed', 'pending unknown',
    'pending awaiting_operator', 'pending completed', 'pending failed', 'unknown pending', 'unknown awaiting_operator',
    'unknown completed', 'unknown failed', 'awaiting_operator unknown', 'awaiting_operator completed',
    'awaiting_operator failed', 'failed completed', 'completed failed']))
  execute function refuse_move();

-- returned: a row that is resolved from the beginning. The provider returned booked_minor of a booked reversal, such as a dispute that the
-- merchant has won.
alter table payment_anomalies
  drop constraint payment_anomalies_kind_check,
  add constraint payment_anomalies_kind_check
    check (kind in ('reversed', 'contradicted', 'amount_differs', 'still_pending', 'unanswered', 'returned')) not valid,
  add constraint payment_anomalies_returned check (kind <> 'returned' or (refund_id is null and resolution = 'booked')) not valid;

create or replace function refunds_guard_reversed() returns trigger language plpgsql as $$
declare
  charged bigint;
  taken_back bigint;
begin
  select coalesce(p.captured_minor, a.amount_minor) into charged
    from payment_attempts a join payments p on p.account_id = a.account_id and p.id = a.payment_id
    where a.account_id = new.account_id and a.id = new.attempt_id;
  select coalesce(sum(case
      when kind = 'returned' then -booked_minor
      when resolved_at is not null then coalesce(booked_minor, 0)
      when kind in ('reversed', 'contradicted') then coalesce(amount_minor, charged)
      else 0 end), 0)
    into taken_back
    from payment_anomalies
    where account_id = new.account_id and payment_id = new.payment_id and attempt_id = new.attempt_id and refund_id is null;
  if taken_back > 0 and taken_back + new.amount_minor + (
    select coalesce(sum(amount_minor), 0) from refunds
    where account_id = new.account_id and payment_id = new.payment_id and attempt_id = new.attempt_id and status <> 'failed'
  ) > charged then
    raise exception 'the provider has taken the charge % back', new.attempt_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
-- The replacement of a bounced refund is owed whatever is reversed; the check of the payment limits the sum.
create or replace trigger refunds_not_reversed before insert on refunds
  for each row when (new.origin = 'merchant' and new.replaces_id is null) execute function refunds_guard_reversed();

-- reversal and reversal_undone: a provider took money of a charge back, and returned it; of a duplicate charge it is on suspense.
-- refund_bounced: the amount of a completed refund came back. unclaimed: a payer did not claim a refund.
alter table ledger_accounts
  drop constraint ledger_accounts_code_check,
  add constraint ledger_accounts_code_check check (
    code in ('merchant.payable', 'refunds.payable', 'unclaimed.payable', 'fee.revenue', 'bank.clearing', 'suspense')
    or code ~ '^clearing\.[a-z0-9-]+$') not valid;
alter table ledger_transfers
  drop constraint ledger_transfers_kind_check,
  add constraint ledger_transfers_kind_check check (
    kind in ('capture', 'fee', 'duplicate_capture', 'refund_reserve', 'refund_paid', 'refund_released', 'refund_bounced', 'unclaimed',
      'reversal', 'reversal_undone', 'adjustment')) not valid,
  drop constraint ledger_transfers_ways,
  add constraint ledger_transfers_ways check (case kind
    when 'capture' then debit_code like 'clearing.%' and credit_code = 'merchant.payable'
    when 'fee' then debit_code = 'merchant.payable' and credit_code = 'fee.revenue'
    when 'duplicate_capture' then debit_code like 'clearing.%' and credit_code = 'refunds.payable'
    when 'refund_reserve' then debit_code = 'merchant.payable' and credit_code = 'refunds.payable'
    when 'refund_paid' then debit_code in ('refunds.payable', 'merchant.payable', 'unclaimed.payable') and credit_code like 'clearing.%'
    when 'refund_released' then debit_code = 'refunds.payable' and credit_code = 'merchant.payable'
    when 'refund_bounced' then debit_code like 'clearing.%' and credit_code = 'refunds.payable'
    when 'unclaimed' then debit_code = 'refunds.payable' and credit_code = 'unclaimed.payable'
    when 'reversal' then debit_code in ('merchant.payable', 'suspense') and credit_code like 'clearing.%'
    when 'reversal_undone' then debit_code like 'clearing.%' and credit_code in ('merchant.payable', 'suspense')
    when 'adjustment' then not array[debit_code, credit_code] && array['refunds.payable', 'unclaimed.payable', 'bank.clearing']
  end) not valid;
create or replace trigger ledger_transfers_guard_refund before insert on ledger_transfers
  for each row when (new.kind in ('refund_paid', 'refund_released', 'unclaimed')
    and new.debit_code in ('refunds.payable', 'merchant.payable', 'unclaimed.payable'))
  execute function ledger_transfers_guard_refund();

-- The revenue is less refunds and reversals: refunded_minor of the deltas and of payment_revenue is the sum of both.
create or replace function payments_append_created_deltas() returns trigger language plpgsql as $$
begin
  insert into payment_stat_deltas (account_id, payment_id, application_id, amount_minor, currency, created_at,
    status, method, refunded_minor, completed_at)
  select p.account_id, p.id, a.id, p.amount_minor, p.currency, p.created_at, p.status, p.method, p.refunded_minor + p.reversed_minor,
    p.completed_at
  from created p left join applications a on a.account_id = p.account_id and a.id = p.application_id;
  return null;
end $$;
create or replace function payments_append_changed_deltas() returns trigger language plpgsql set enable_hashjoin = on as $$
begin
  insert into payment_stat_deltas (account_id, payment_id, application_id, amount_minor, currency, created_at,
    status, method, refunded_minor, completed_at, former_status, former_method, former_refunded_minor, former_completed_at)
  select a.account_id, a.id, a.application_id, coalesce(a.captured_minor, a.amount_minor), a.currency, a.created_at,
    a.status, a.method, a.refunded_minor + a.reversed_minor, a.completed_at,
    b.status, b.method, b.refunded_minor + b.reversed_minor, b.completed_at
  from before b join after a on a.account_id = b.account_id and a.id = b.id;
  return null;
end $$;

create or replace function rebuild_payment_figures() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7823486516400);
  lock table payments in share mode;
  delete from payment_stat_deltas;
  delete from payment_counts;
  delete from payment_revenue;

  insert into payment_counts (account_id, starts_at, application_id, status, method, payments)
  select account_id, coalesce(day, '-infinity'), application_id, status, method, count(*)
  from (
    select account_id, date_bin('1 day', created_at, '2000-01-01T00:00:00Z') as day, application_id, status,
      coalesce(method, '') as method
    from payments
  ) as days
  group by account_id, application_id, status, method, grouping sets ((day), ()) order by 1, 2;

  insert into payment_revenue (account_id, starts_at, currency, gross_minor, refunded_minor, completed)
  select account_id, date_bin('15 minutes', completed_at, '2000-01-01T00:00:00Z'), currency, sum(coalesce(captured_minor, amount_minor)),
    sum(refunded_minor + reversed_minor), count(*) filter (where status = 'completed')
  from payments where completed_at is not null group by 1, 2, 3 order by 1, 2;
end $$;

create or replace view payment_figures_drift as
with kept as (
  select 'payments' as figure, account_id, jsonb_build_array(starts_at, application_id, status, method) as of, payments as value
  from payment_counts
  union all
  select figure, account_id, jsonb_build_array(starts_at, currency), value
  from payment_revenue
  cross join lateral (values ('gross', gross_minor), ('refunded', refunded_minor), ('completed', completed)) as each (figure, value)
), images as (
  select account_id, sign, application_id, status, method, amount_minor, currency, refunded_minor, created_at, completed_at, false as is_truth
  from payment_stat_images
  union all
  select account_id, 1, application_id, status, method, coalesce(captured_minor, amount_minor), currency, refunded_minor + reversed_minor,
    created_at, completed_at, true
  from payments
), counted as (
  select is_truth, 'payments' as figure, account_id,
    jsonb_build_array(starts_at, application_id, status, coalesce(method, '')) as of, sign::bigint as value
  from images
  cross join lateral (values ('-infinity'), (date_trunc('day', created_at, 'UTC'))) as of_day (starts_at)
  union all
  select is_truth, figure, account_id,
    jsonb_build_array(
      date_trunc('hour', completed_at, 'UTC') + floor(extract(minute from completed_at) / 15) * interval '15 minutes', currency),
    sign * value
  from images
  cross join lateral (values
    ('gross', amount_minor), ('refunded', refunded_minor), ('completed', case status when 'completed' then 1 else 0 end)
  ) as each (figure, value)
  where completed_at is not null
)
select account_id, figure, of, coalesce(sum(value) filter (where not is_truth), 0) as kept,
  coalesce(sum(value) filter (where is_truth), 0) as counted
from (select false as is_truth, figure, account_id, of, value from kept union all table counted) as both_sides
group by account_id, figure, of
having coalesce(sum(value) filter (where not is_truth), 0) <> coalesce(sum(value) filter (where is_truth), 0);

create or replace view payment_ledger_drift as
-- By payment: gross and fee when it is paid, refunds paid and reserved, reversals; all in the currency of the payment.
select coalesce(p.account_id, booked.account_id) as account_id, coalesce(p.id, booked.payment_id) as payment_id
from payments p
full join (
  select account_id, payment_id, currency,
    coalesce(sum(amount_minor) filter (where kind = 'capture'), 0) as gross,
    coalesce(sum(amount_minor) filter (where kind = 'fee'), 0) as fee,
    coalesce(sum(amount_minor) filter (where kind = 'refund_reserve'), 0)
      - coalesce(sum(amount_minor) filter (where kind = 'refund_released'), 0)
      -- A late refund is paid out of merchant.payable, because its reserve was released.
      + coalesce(sum(amount_minor) filter (where kind = 'refund_paid' and debit_code = 'merchant.payable'), 0) as refunded
  from ledger_transfers where payment_id is not null group by account_id, payment_id, currency
) as booked on p.account_id = booked.account_id and booked.payment_id = p.id and booked.currency = p.currency
left join (
  select account_id, payment_id, currency,
    coalesce(sum(amount_minor) filter (where status = 'completed'), 0) as done,
    coalesce(sum(amount_minor) filter (where status not in ('completed', 'failed')), 0) as underway
  from refunds where origin = 'merchant' group by account_id, payment_id, currency
) as own on own.account_id = coalesce(p.account_id, booked.account_id) and own.payment_id = p.id and own.currency = p.currency
left join (
  select r.account_id, r.payment_id, r.currency,
    sum(case r.kind when 'returned' then -r.booked_minor else r.booked_minor end) as reversed
  from payment_anomalies r
  join payment_attempts a on a.account_id = r.account_id and a.id = r.attempt_id and a.status = 'completed'
  where r.booked_minor is not null and r.refund_id is null group by r.account_id, r.payment_id, r.currency
) as reviewed on reviewed.account_id = coalesce(p.account_id, booked.account_id) and reviewed.payment_id = p.id
  and reviewed.currency = p.currency
where p.id is null
  or coalesce(booked.gross, 0) <> case when p.completed_at is null then 0 else coalesce(p.captured_minor, p.amount_minor) end
  or coalesce(booked.fee, 0) <> coalesce(p.fee_minor, 0)
  or coalesce(booked.refunded, 0) <> p.refunded_minor + p.refund_pending_minor
  or coalesce(own.done, 0) <> p.refunded_minor
  or coalesce(own.underway, 0) <> p.refund_pending_minor
  or coalesce(reviewed.reversed, 0) <> p.reversed_minor
  or coalesce(own.done + own.underway, 0) + coalesce(reviewed.reversed, 0) > coalesce(p.captured_minor, p.amount_minor)
union
-- By refund: its whole amount was reserved, from the merchant's money, from a duplicate charge or from a refund that came back; it was paid if
-- the refund was completed, also when it bounced later, and released or put with the unclaimed amounts if the refund failed. The merchant paid
-- a refund that was paid after its release.
select coalesce(r.account_id, moved.account_id), coalesce(r.payment_id, moved.payment_id)
from refunds r
full join (
  select account_id, payment_id, currency, cause_id,
    coalesce(sum(amount_minor) filter (where kind = 'refund_reserve'), 0) as reserved,
    coalesce(sum(amount_minor) filter (where kind = 'duplicate_capture'), 0) as came_twice,
    coalesce(sum(amount_minor) filter (where kind = 'refund_bounced'), 0) as came_back,
    coalesce(sum(amount_minor) filter (where kind = 'refund_released'), 0) as released,
    coalesce(sum(amount_minor) filter (where kind = 'unclaimed'), 0) as unclaimed,
    coalesce(sum(amount_minor) filter (where kind = 'refund_paid'), 0) as paid,
    coalesce(sum(amount_minor) filter (where kind = 'refund_paid' and debit_code = 'merchant.payable'), 0) as paid_by_merchant
  from ledger_transfers
  where kind in ('refund_reserve', 'duplicate_capture', 'refund_bounced', 'refund_released', 'unclaimed', 'refund_paid')
  group by account_id, payment_id, currency, cause_id
) as moved on r.account_id = moved.account_id and moved.payment_id = r.payment_id and moved.currency = r.currency
  and moved.cause_id = r.id
where r.id is null or moved.cause_id is null
  or moved.reserved <> case when r.origin = 'merchant' and r.replaces_id is null then r.amount_minor else 0 end
  or moved.came_twice <> case when r.origin = 'duplicate' and r.replaces_id is null then r.amount_minor else 0 end
  or moved.came_back <> case when r.replaces_id is not null then r.amount_minor else 0 end
  or moved.paid <> case when r.status = 'completed' or r.bounced_at is not null then r.amount_minor else 0 end
  or moved.unclaimed <> case when r.unclaimed_at is not null then r.amount_minor else 0 end
  or moved.released <> case when r.status = 'failed' and r.bounced_at is null and r.unclaimed_at is null then r.amount_minor
    else moved.paid_by_merchant end
  or (r.origin = 'duplicate' and moved.paid_by_merchant <> 0)
union
-- By refund that bounced: another one of the same amount replaces it.
select coalesce(bounced.account_id, next.account_id), coalesce(bounced.payment_id, next.payment_id)
from (select account_id, payment_id, id, amount_minor from refunds where bounced_at is not null) as bounced
full join (select account_id, payment_id, replaces_id, amount_minor from refunds where replaces_id is not null) as next
  on bounced.account_id = next.account_id and next.replaces_id = bounced.id
where (bounced.payment_id, bounced.amount_minor) is distinct from (next.payment_id, next.amount_minor)
union
-- By booked review: one transfer of its amount. Reviews of an earlier version are booked as an adjustment of their payment.
select coalesce(r.account_id, moved.account_id), coalesce(r.payment_id, moved.payment_id)
from (select * from payment_anomalies where booked_minor is not null) as r
full join (
  select account_id, payment_id, currency, cause_id, amount_minor, kind from ledger_transfers where kind in ('reversal', 'reversal_undone')
) as moved on r.account_id = moved.account_id and moved.cause_id = r.id
where r.id is null
  or (moved.cause_id is not null and (moved.payment_id, moved.currency, moved.amount_minor, moved.kind) is distinct from
    (r.payment_id, r.currency, r.booked_minor, case r.kind when 'returned' then 'reversal_undone' else 'reversal' end))
  or (moved.cause_id is null and (r.kind = 'returned' or not exists (
    select from ledger_adjustments a
    where a.account_id = r.account_id and a.payment_id = r.payment_id and (a.currency, a.amount_minor) = (r.currency, r.booked_minor))))
union
-- By failed attempt: the amount that an operator found to have moved is on suspense.
select coalesce(a.account_id, moved.account_id), coalesce(a.payment_id, moved.payment_id)
from (select account_id, payment_id, id, moved_minor from payment_attempts where moved_minor is not null) as a
full join (
  select each.account_id, each.payment_id, each.cause_id,
    sum(case when each.credit_code = 'suspense' then each.amount_minor else -each.amount_minor end) as minor
  from ledger_adjustments each
  join payment_attempts t on t.account_id = each.account_id and t.id = each.cause_id and t.status in ('failed', 'held')
  group by each.account_id, each.payment_id, each.cause_id
) as moved on a.account_id = moved.account_id and moved.cause_id = a.id
where coalesce(a.moved_minor, 0) <> coalesce(moved.minor, 0)
  -- The adjustments of an earlier version name no attempt.
  and (moved.cause_id is not null or not exists (
    select from ledger_adjustments each
    where each.account_id = a.account_id and each.payment_id = a.payment_id and each.cause_id is null));

-- The adjustments without exactly one transfer of the same accounts and amount. A row is a discrepancy.
create view ledger_adjustments_drift as
select coalesce(a.account_id, t.account_id) as account_id, coalesce(a.id, t.cause_id) as id
from ledger_adjustments a
full join (select * from ledger_transfers where kind = 'adjustment') as t on t.account_id = a.account_id and t.cause_id = a.id
where (a.payment_id, a.debit_code, a.credit_code, a.currency, a.amount_minor)
  is distinct from (t.payment_id, t.debit_code, t.credit_code, t.currency, t.amount_minor);

-- The payments whose booked reversals an earlier version has not added to reversed_minor, with the sum. An earlier version booked a reversal as
-- an adjustment and not as a transfer of its own; amounts of this version are no part of this view.
create view payment_reversals_to_add as
select r.account_id, r.payment_id, sum(case r.kind when 'returned' then -r.booked_minor else r.booked_minor end)::bigint as reversed_minor
from payment_anomalies r
join payment_attempts a on a.account_id = r.account_id and a.id = r.attempt_id and a.status = 'completed'
join payments p on p.account_id = r.account_id and p.id = r.payment_id
where r.booked_minor is not null and r.refund_id is null
group by r.account_id, r.payment_id, p.reversed_minor
having sum(case r.kind when 'returned' then -r.booked_minor else r.booked_minor end) <> p.reversed_minor
  and bool_or(r.kind <> 'returned' and not exists (
    select from ledger_transfers t where t.account_id = r.account_id and t.cause_id = r.id and t.kind = 'reversal'));
