-- Business days. A day ends at the cut-off in Zimbabwe (SETTLEMENT_CUT_OFF), and is a range of positions of the journal: no transfer can appear
-- below the position of the balances, so a closed day never changes. A transaction that is open over the cut-off falls into the next day.
-- Every calendar day is a business day of the ledger, because providers state every day; business_day_after counts those on which banks pay.

-- Invariant: days follow each other without a gap or an overlap, of dates and of positions; one day is open, the last one; and a closed day
-- never changes. An empty day has equal ends.
create table ledger_business_days (
  business_date date        primary key,
  from_position bigint      not null check (from_position >= 0),
  to_position   bigint,
  closed_at     timestamptz,
  constraint ledger_business_days_closed_at_an_end check ((to_position is null) = (closed_at is null)),
  constraint ledger_business_days_forward check (to_position >= from_position)
);
create unique index ledger_business_days_one_open on ledger_business_days ((true)) where to_position is null;

create function ledger_business_days_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if old.to_position is not null or (new.business_date, new.from_position) <> (old.business_date, old.from_position)
      or new.to_position is distinct from (select position from ledger_balance_position) then
      raise exception 'the business day % only closes, once, at the position of the balances', old.business_date
        using errcode = 'restrict_violation';
    end if;
  elsif new.to_position <> new.from_position or (exists (select from ledger_business_days) and not exists (
    select from ledger_business_days where business_date = new.business_date - 1 and to_position = new.from_position)) then
    raise exception 'the business day % does not follow the last one', new.business_date using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger ledger_business_days_guard before insert or update on ledger_business_days
  for each row execute function ledger_business_days_guard();
create trigger ledger_business_days_no_delete before delete on ledger_business_days for each row execute function refuse_change();
create trigger ledger_business_days_no_truncate before truncate on ledger_business_days for each statement execute function refuse_change();

-- The amounts that a business day moved on the accounts that are settled with merchants and stated by providers and banks: by application (all zeros
-- without one), kind, and account on the other side.
--
-- Invariant: a sum is that of the transfers in the range of its day and below the position of the balances (ledger_day_sums_drift), and so the
-- sums of an account over all days are its balance at that position.
create table ledger_day_sums (
  account_id     uuid   not null,
  business_date  date   not null,
  code           text   not null,
  currency       text   not null,
  application_id uuid   not null,
  kind           text   not null,
  other_code     text   not null,
  transfers      bigint not null check (transfers > 0),
  debit_minor    bigint not null check (debit_minor >= 0),
  credit_minor   bigint not null check (credit_minor >= 0),
  primary key (account_id, business_date, code, currency, application_id, kind, other_code)
) with (fillfactor = 80);

-- Settlements read a day of all merchants.
create index ledger_day_sums_payable on ledger_day_sums (business_date, account_id) where code = 'merchant.payable';

-- The holidays of banks, as operators have decided them.
create table business_holidays (
  day        date primary key,
  name       text not null check (length(name) between 1 and 100),
  decided_by text not null check (length(decided_by) between 1 and 200)
);
insert into business_holidays (day, name, decided_by)
select day::date, name, 'first release' from (values
  ('2026-01-01', 'New Year''s Day'), ('2026-02-21', 'Robert Gabriel Mugabe National Youth Day'), ('2026-04-03', 'Good Friday'),
  ('2026-04-04', 'Easter Saturday'), ('2026-04-05', 'Easter Sunday'), ('2026-04-06', 'Easter Monday'), ('2026-04-18', 'Independence Day'),
  ('2026-05-01', 'Workers'' Day'), ('2026-05-25', 'Africa Day'), ('2026-08-10', 'Heroes'' Day'), ('2026-08-11', 'Defence Forces Day'),
  ('2026-12-22', 'Unity Day'), ('2026-12-25', 'Christmas Day'), ('2026-12-26', 'Boxing Day'),
  ('2027-01-01', 'New Year''s Day'), ('2027-02-21', 'Robert Gabriel Mugabe National Youth Day'),
  ('2027-02-22', 'Robert Gabriel Mugabe National Youth Day, in lieu'), ('2027-03-26', 'Good Friday'), ('2027-03-27', 'Easter Saturday'),
  ('2027-03-28', 'Easter Sunday'), ('2027-03-29', 'Easter Monday'), ('2027-04-18', 'Independence Day'),
  ('2027-04-19', 'Independence Day, in lieu'), ('2027-05-01', 'Workers'' Day'), ('2027-05-25', 'Africa Day'),
  ('2027-08-09', 'Heroes'' Day'), ('2027-08-10', 'Defence Forces Day'), ('2027-12-22', 'Unity Day'), ('2027-12-25', 'Christmas Day'),
  ('2027-12-26', 'Boxing Day'), ('2027-12-27', 'Boxing Day, in lieu'),
  ('2028-01-01', 'New Year''s Day'), ('2028-02-21', 'Robert Gabriel Mugabe National Youth Day'), ('2028-04-14', 'Good Friday'),
  ('2028-04-15', 'Easter Saturday'), ('2028-04-16', 'Easter Sunday'), ('2028-04-17', 'Easter Monday'), ('2028-04-18', 'Independence Day'),
  ('2028-05-01', 'Workers'' Day'), ('2028-05-25', 'Africa Day'), ('2028-08-14', 'Heroes'' Day'), ('2028-08-15', 'Defence Forces Day'),
  ('2028-12-22', 'Unity Day'), ('2028-12-25', 'Christmas Day'), ('2028-12-26', 'Boxing Day')
) as holiday (day, name);

-- The business day of the ledger to which a moment belongs: one that is at or after the cut-off belongs to the next date. 24:00 is midnight.
create function business_date_at(moment timestamptz, cut_off time) returns date language sql immutable parallel safe
return ((moment at time zone 'Africa/Harare') + interval '24 hours' - cut_off)::date;

-- The day on which banks pay that is so many after a date: neither a Sunday nor a holiday. With 0, the date itself if it is one, or else the
-- next one. Null when it is in a year whose holidays are unknown, so that nothing is paid on one of them.
create function business_day_after(start date, days integer) returns date language sql stable as $$
  select case when exists (select from business_holidays where extract(year from day) = extract(year from counted.each)) then counted.each end
  from (
    select each::date as each from generate_series(start, start + 7 * days + 14, interval '1 day') as each
    where (each::date > start or days = 0) and extract(isodow from each) <> 7
      and not exists (select from business_holidays where day = each::date)
    order by 1 offset greatest(days - 1, 0) limit 1
  ) as counted
$$;

-- The application of a payment, for transfers that an earlier version has written without it; all zeros without a payment.
create function ledger_application_of(owner uuid, payment uuid) returns uuid language plpgsql stable as $$
begin
  return coalesce(
    (select p.application_id from payments p where p.account_id = owner and p.id = payment),
    '00000000-0000-0000-0000-000000000000');
end $$;

-- Both sides of each transfer on those accounts, with their day. The last of days that begin at one position is the one that is not empty.
create view ledger_day_sides as
select t.position, t.account_id, days.dates[width_bucket(t.position, days.starts)] as business_date, side.code, t.currency,
  coalesce(t.application_id, ledger_application_of(t.account_id, t.payment_id)) as application_id,
  t.kind, side.other_code, side.debit_minor, side.credit_minor
from ledger_transfers t
cross join (
  select array_agg(business_date order by business_date) as dates, array_agg(from_position order by business_date) as starts
  from ledger_business_days
) as days
cross join lateral (
  values (t.debit_code, t.credit_code, t.amount_minor, 0::bigint), (t.credit_code, t.debit_code, 0::bigint, t.amount_minor)
) as side (code, other_code, debit_minor, credit_minor)
where side.code = 'merchant.payable' or side.code like 'clearing.%' or side.code like 'bank.%';

-- The sums that differ from their transfers. A row is a discrepancy.
create view ledger_day_sums_drift as
select account_id, business_date, code, currency, application_id, kind, other_code
from (
  select account_id, business_date, code, currency, application_id, kind, other_code, transfers, debit_minor, credit_minor
  from ledger_day_sums
  union all
  select account_id, business_date, code, currency, application_id, kind, other_code, -1 as transfers,
    -debit_minor as debit_minor, -credit_minor as credit_minor
  from ledger_day_sides where position < (select position from ledger_balance_position)
) as both_sides
group by account_id, business_date, code, currency, application_id, kind, other_code
having sum(transfers) <> 0 or sum(debit_minor) <> 0 or sum(credit_minor) <> 0;

-- The aggregator adds the new transfers to the balances and to the sums of the open day, and moves the position, in one statement.
create or replace function aggregate_ledger_balances(most integer) returns integer language plpgsql as $$
declare
  -- A statement that follows sees every transfer below it.
  upper_end bigint := transaction_horizon();
  applied integer;
begin
  if not pg_try_advisory_xact_lock(7823486516401) then
    return 0;
  end if;
  with last as (
    select t.position from ledger_transfers t
    where t.position >= (select position from ledger_balance_position) and t.position < upper_end
    order by t.position offset most - 1 limit 1
  ), reached as materialized (
    select coalesce((select position + 1 from last), upper_end) as position
  ), taken as materialized (
    select t.* from ledger_transfers t
    where t.position >= (select position from ledger_balance_position) and t.position < (select position from reached)
  ), added as (
    insert into ledger_account_balances as balance (account_id, code, currency, debit_minor, credit_minor)
    select account_id, side.code, currency, sum(side.debit), sum(side.credit)
    from taken cross join lateral (values (debit_code, amount_minor, 0::bigint), (credit_code, 0::bigint, amount_minor)) as side (code, debit, credit)
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (account_id, code, currency) do update
      set debit_minor = balance.debit_minor + excluded.debit_minor, credit_minor = balance.credit_minor + excluded.credit_minor
  ), summed as (
    insert into ledger_day_sums as day
      (account_id, business_date, code, currency, application_id, kind, other_code, transfers, debit_minor, credit_minor)
    select account_id, business_date, code, currency, application_id, kind, other_code, count(*), sum(debit_minor), sum(credit_minor)
    from ledger_day_sides
    where position >= (select position from ledger_balance_position) and position < (select position from reached)
    group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
    on conflict (account_id, business_date, code, currency, application_id, kind, other_code) do update
      set transfers = day.transfers + excluded.transfers, debit_minor = day.debit_minor + excluded.debit_minor,
        credit_minor = day.credit_minor + excluded.credit_minor
  ), moved as (
    update ledger_balance_position set position = (select position from reached) where exists (select from taken)
  )
  select count(*) into applied from taken;
  return applied;
end $$;

-- Sums all transfers below the position again, by account and by day, once the cause of a discrepancy is understood.
create or replace function rebuild_ledger_balances() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7823486516401);
  update ledger_balance_position set position = greatest(position, transaction_horizon());
  delete from ledger_account_balances;
  insert into ledger_account_balances (account_id, code, currency, debit_minor, credit_minor)
  select account_id, side.code, currency, sum(side.debit), sum(side.credit)
  from ledger_transfers
  cross join lateral (values (debit_code, amount_minor, 0::bigint), (credit_code, 0::bigint, amount_minor)) as side (code, debit, credit)
  where position < (select position from ledger_balance_position)
  group by 1, 2, 3;
  delete from ledger_day_sums;
  insert into ledger_day_sums (account_id, business_date, code, currency, application_id, kind, other_code, transfers, debit_minor, credit_minor)
  select account_id, business_date, code, currency, application_id, kind, other_code, count(*), sum(debit_minor), sum(credit_minor)
  from ledger_day_sides where position < (select position from ledger_balance_position)
  group by 1, 2, 3, 4, 5, 6, 7;
end $$;

-- Closes the open day when its cut-off has passed, at the position up to which all transfers are in its sums, and opens the day of the
-- present. Days between them, in which no process closed any, are empty. A second call finds the open day of the present.
-- Returns the number of closed days.
create function close_business_days(cut_off time) returns integer language plpgsql as $$
declare
  present date := business_date_at(muripo_now(), cut_off);
  open_date date;
  reached bigint;
begin
  perform pg_advisory_xact_lock(7823486516401);
  select business_date into strict open_date from ledger_business_days where to_position is null;
  if open_date >= present then
    return 0;
  end if;
  loop
    exit when aggregate_ledger_balances(5000) < 5000;
  end loop;
  select position into strict reached from ledger_balance_position;
  update ledger_business_days set to_position = reached, closed_at = muripo_now() where business_date = open_date;
  insert into ledger_business_days (business_date, from_position, to_position, closed_at)
  select each::date, reached, case when each < present then reached end, case when each < present then muripo_now() end
  from generate_series(open_date + 1, present, interval '1 day') as each;
  return present - open_date;
end $$;

-- The first day has everything before it too. Its sums are made while no aggregator moves the position, and stop no writer.
select pg_advisory_xact_lock(7823486516401);
insert into ledger_business_days (business_date, from_position) values (business_date_at(muripo_now(), '20:00'), 0);
insert into ledger_day_sums (account_id, business_date, code, currency, application_id, kind, other_code, transfers, debit_minor, credit_minor)
select account_id, business_date, code, currency, application_id, kind, other_code, count(*), sum(debit_minor), sum(credit_minor)
from ledger_day_sides where position < (select position from ledger_balance_position)
group by 1, 2, 3, 4, 5, 6, 7;
