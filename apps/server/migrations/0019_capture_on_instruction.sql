-- Capture on instruction. A payment with capture_mode manual is authorised by its payer, and captured or voided later. Without the mode, the
-- charge is one step, and every new column stays null.
--
-- captured_minor: the captured amount of a payment with the mode; fee, refunds and revenue are of this amount. capture_before: the time at
-- which an authorisation without an instruction is voided.
alter table payments add column capture_mode text;
alter table payments add column captured_minor bigint;
alter table payments add column capture_before timestamptz;

-- The earlier checks were stricter, so that each row satisfies the new ones.
alter table payments drop constraint payments_status_check;
alter table payments add constraint payments_status_check
  check (status in ('pending', 'authorized', 'completed', 'failed', 'refunded')) not valid;
alter table payments drop constraint payments_refunds_within_amount;
alter table payments add constraint payments_refunds_within_amount
  check (refunded_minor + refund_pending_minor <= coalesce(captured_minor, amount_minor)) not valid;
alter table payments drop constraint payments_refunded_in_full;
alter table payments add constraint payments_refunded_in_full
  check (status <> 'refunded' or refunded_minor = coalesce(captured_minor, amount_minor)) not valid;

-- Invariant: only a payment with the mode is authorised, until a known time, and its captured amount is within the authorised one.
alter table payments add constraint payments_capture_mode check (capture_mode = 'manual') not valid;
alter table payments add constraint payments_authorized
  check (status <> 'authorized' or (capture_mode is not null and capture_before is not null)) not valid;
alter table payments add constraint payments_captured_when_paid
  check ((captured_minor is not null) = (capture_mode is not null and completed_at is not null)) not valid;
alter table payments add constraint payments_captured_within_amount check (captured_minor between 1 and amount_minor) not valid;

-- Invariant: the mode of a payment and its captured amount never change.
create or replace function payments_guard_moves() returns trigger language plpgsql as $$
begin
  if (new.account_id, new.id, new.application_id, new.amount_minor, new.currency, new.created_at, new.capture_mode)
     is distinct from (old.account_id, old.id, old.application_id, old.amount_minor, old.currency, old.created_at, old.capture_mode)
     or (old.captured_minor is not null and new.captured_minor is distinct from old.captured_minor) then
    raise exception 'the facts of payment % do not change', old.id using errcode = 'restrict_violation';
  end if;
  if new.status <> old.status and (old.status, new.status) not in (
    ('pending', 'authorized'), ('pending', 'completed'), ('pending', 'failed'), ('authorized', 'completed'), ('authorized', 'failed'),
    ('failed', 'completed'), ('completed', 'refunded')
  ) then
    raise exception 'payment % cannot move from % to %', old.id, old.status, new.status using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- authorized: the provider has reserved the amount for this attempt, and moves it on instruction only. Its next_check_at is the end of the
-- authorisation.
alter table payment_attempts drop constraint payment_attempts_status_check;
alter table payment_attempts add constraint payment_attempts_status_check check (
  status in ('sending', 'pending', 'unknown', 'held', 'authorized', 'completed', 'failed', 'duplicate')) not valid;
drop trigger payment_attempts_guard_moves on payment_attempts;
create trigger payment_attempts_guard_moves before update on payment_attempts for each row
  when (new.status <> old.status and old.status || ' ' || new.status <> all (array[
    'sending pending', 'sending unknown', 'sending held', 'sending completed', 'sending failed', 'sending duplicate', 'sending authorized',
    'pending held', 'pending completed', 'pending failed', 'pending duplicate', 'pending authorized', 'unknown pending', 'unknown held',
    'unknown completed', 'unknown failed', 'unknown duplicate', 'unknown authorized', 'held completed', 'held failed', 'held duplicate',
    'authorized pending', 'authorized held', 'authorized failed', 'failed held', 'failed completed', 'failed duplicate']))
  execute function refuse_move();

-- Invariant: a payment fails only when no attempt may still bring money, and an authorised one may.
create or replace function payments_guard_failing() returns trigger language plpgsql as $$
begin
  if exists (
    select from payment_attempts
    where account_id = new.account_id and payment_id = new.id and status in ('sending', 'pending', 'unknown', 'held', 'authorized')
  ) then
    raise exception 'payment % has an open attempt and cannot fail', new.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
drop trigger payments_guard_failing on payments;
create trigger payments_guard_failing before update on payments for each row
  when (old.status in ('pending', 'authorized') and new.status = 'failed') execute function payments_guard_failing();

-- The one instruction about an authorisation: to capture an amount of it, or to void it. The merchant gives it, or the gateway at the end of
-- the authorisation. It is committed before the provider is called, and every look-up of the attempt carries it out until the provider
-- confirms it.
--
-- Invariant: an authorisation has one instruction. The primary key decides between a capture, a void and the end of the authorisation.
--
-- The checksums are those of payments. response: the first response to the request with an Idempotency-Key.
create table capture_instructions (
  account_id           uuid        not null,
  payment_id           uuid        not null,
  attempt_id           uuid        not null,
  kind                 text        not null check (kind in ('capture', 'void')),
  amount_minor         bigint      check (amount_minor > 0),
  currency             text        not null,
  idempotency_checksum uuid,
  request_checksum     uuid,
  response             text,
  created_at           timestamptz not null,
  primary key (account_id, payment_id),
  constraint capture_instructions_of_attempt foreign key (account_id, payment_id, attempt_id)
    references payment_attempts (account_id, payment_id, id),
  constraint capture_instructions_amount check ((kind = 'capture') = (amount_minor is not null)),
  constraint capture_instructions_keyed check ((idempotency_checksum is null) = (request_checksum is null))
);
create trigger capture_instructions_no_delete before delete on capture_instructions for each row execute function refuse_change();
create trigger capture_instructions_no_truncate before truncate on capture_instructions
  for each statement execute function refuse_change();

-- Invariant: an Idempotency-Key of an application captures one payment.
create unique index capture_instructions_by_key on capture_instructions (account_id, idempotency_checksum)
  where idempotency_checksum is not null;
create function capture_instructions_keep_key() returns trigger language plpgsql as $$
begin
  raise exception 'the idempotency key of the capture of % does not change', old.payment_id using errcode = 'restrict_violation';
end $$;
create trigger capture_instructions_keep_key before update of idempotency_checksum, request_checksum on capture_instructions for each row
  when (num_nonnulls(new.idempotency_checksum, new.request_checksum) > 0 or not is_key_expired(old.created_at))
  execute function capture_instructions_keep_key();

-- Invariant: an instruction never changes.
create function capture_instructions_keep_facts() returns trigger language plpgsql as $$
begin
  raise exception 'the instruction about payment % does not change', old.payment_id using errcode = 'restrict_violation';
end $$;
create trigger capture_instructions_keep_facts before update on capture_instructions for each row
  when ((old.account_id, old.payment_id, old.attempt_id, old.kind, old.amount_minor, old.currency, old.created_at)
    is distinct from (new.account_id, new.payment_id, new.attempt_id, new.kind, new.amount_minor, new.currency, new.created_at)
    or (old.response is not null and new.response is distinct from old.response))
  execute function capture_instructions_keep_facts();

-- Invariant: an instruction is about an authorised payment, within its amount and in its currency.
create function capture_instructions_guard() returns trigger language plpgsql as $$
begin
  perform from payments
    where account_id = new.account_id and id = new.payment_id and status = 'authorized'
      and currency = new.currency and coalesce(new.amount_minor, 0) <= amount_minor
    for no key update;
  if not found then
    raise exception 'payment % is not authorised for this amount', new.payment_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger capture_instructions_guard before insert on capture_instructions
  for each row execute function capture_instructions_guard();

-- Invariant: refunds and reversals never exceed the captured amount of a charge.
create or replace function refunds_guard_reversed() returns trigger language plpgsql as $$
declare
  charged bigint;
  taken_back bigint;
begin
  select coalesce(p.captured_minor, a.amount_minor) into charged
    from payment_attempts a join payments p on p.account_id = a.account_id and p.id = a.payment_id
    where a.account_id = new.account_id and a.id = new.attempt_id;
  select coalesce(sum(case
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

-- The revenue and the ledger's comparison are of the captured amount.
create or replace function payments_append_changed_deltas() returns trigger language plpgsql set enable_hashjoin = on as $$
begin
  insert into payment_stat_deltas (account_id, payment_id, application_id, amount_minor, currency, created_at,
    status, method, refunded_minor, completed_at, former_status, former_method, former_refunded_minor, former_completed_at)
  select a.account_id, a.id, a.application_id, coalesce(a.captured_minor, a.amount_minor), a.currency, a.created_at,
    a.status, a.method, a.refunded_minor, a.completed_at, b.status, b.method, b.refunded_minor, b.completed_at
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
  select account_id, date_bin('15 minutes', completed_at, '2000-01-01T00:00:00Z'), currency, sum(coalesce(captured_minor, amount_minor)), sum(refunded_minor),
    count(*) filter (where status = 'completed')
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
  select account_id, 1, application_id, status, method, coalesce(captured_minor, amount_minor), currency, refunded_minor, created_at, completed_at, true
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
-- By payment: gross and fee when it is paid, refunds paid and reserved; all in the currency of the payment.
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
where p.id is null
  or coalesce(booked.gross, 0) <> case when p.completed_at is null then 0 else coalesce(p.captured_minor, p.amount_minor) end
  or coalesce(booked.fee, 0) <> coalesce(p.fee_minor, 0)
  or coalesce(booked.refunded, 0) <> p.refunded_minor + p.refund_pending_minor
  or coalesce(own.done, 0) <> p.refunded_minor
  or coalesce(own.underway, 0) <> p.refund_pending_minor
union
-- By refund: its whole amount was own, from the merchant's money or from a duplicate charge; it was paid if the refund completed, and
-- released if the refund failed. The merchant paid a refund that was paid after its release.
select coalesce(r.account_id, moved.account_id), coalesce(r.payment_id, moved.payment_id)
from refunds r
full join (
  select account_id, payment_id, currency, cause_id,
    coalesce(sum(amount_minor) filter (where kind = 'refund_reserve'), 0) as reserved,
    coalesce(sum(amount_minor) filter (where kind = 'duplicate_capture'), 0) as came_twice,
    coalesce(sum(amount_minor) filter (where kind = 'refund_released'), 0) as released,
    coalesce(sum(amount_minor) filter (where kind = 'refund_paid'), 0) as paid,
    coalesce(sum(amount_minor) filter (where kind = 'refund_paid' and debit_code = 'merchant.payable'), 0) as paid_by_merchant
  from ledger_transfers where kind in ('refund_reserve', 'duplicate_capture', 'refund_released', 'refund_paid')
  group by account_id, payment_id, currency, cause_id
) as moved on r.account_id = moved.account_id and moved.payment_id = r.payment_id and moved.currency = r.currency
  and moved.cause_id = r.id
where r.id is null or moved.cause_id is null
  or moved.reserved <> case r.origin when 'merchant' then r.amount_minor else 0 end
  or moved.came_twice <> case r.origin when 'duplicate' then r.amount_minor else 0 end
  or moved.paid <> case r.status when 'completed' then r.amount_minor else 0 end
  or moved.released <> case r.status when 'failed' then r.amount_minor else moved.paid_by_merchant end
  or (r.origin = 'duplicate' and moved.paid_by_merchant <> 0);
