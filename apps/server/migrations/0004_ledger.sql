-- Double entry: a transfer debits one account and credits another by the same amount, so no row can be out of balance.
-- Accounts belong to one environment of one merchant, system accounts (the money that a provider holds for us) included, so that no row is
-- touched by every merchant's payments. fee.revenue is the gateway's income, bank.clearing the money at banks for later payouts, and
-- suspense holds amounts that came in or went out and have no owner yet.
create table ledger_accounts (
  account_id  uuid not null references environments (id),
  code        text not null check (
    code in ('merchant.payable', 'refunds.payable', 'fee.revenue', 'bank.clearing', 'suspense') or code ~ '^clearing\.[a-z0-9-]+$'),
  currency    text not null check (currency ~ '^[A-Z]{3}$'),
  primary key (account_id, code, currency)
);
create trigger ledger_accounts_append_only before update or delete on ledger_accounts
  for each row execute function refuse_change();
create trigger ledger_accounts_no_truncate before truncate on ledger_accounts
  for each statement execute function refuse_change();

-- Each kind of transfer goes from one kind of account to another and nowhere else. A refund is paid out of its reserve. A refund that its
-- provider paid after refusing it is taken from merchant.payable, to which the reserve was released. The money of a duplicate charge is
-- owed to the payer from the moment it arrives. Only an adjustment may lack a payment.
create table ledger_transfers (
  account_id   uuid        not null,
  kind         text        not null check (
    kind in ('capture', 'fee', 'duplicate_capture', 'refund_reserve', 'refund_paid', 'refund_released', 'adjustment')),
  debit_code   text        not null,
  credit_code  text        not null,
  currency     text        not null,
  amount_minor bigint      not null check (amount_minor > 0),
  payment_id   uuid,
  cause_id     uuid        not null,
  created_at   timestamptz not null,
  position     bigint      not null default transaction_position(),
  -- Invariant: one cause moves money once for each kind of transfer, however often its outcome is reported.
  constraint ledger_transfers_once primary key (account_id, cause_id, kind),
  constraint ledger_transfers_between_two_accounts check (debit_code <> credit_code),
  constraint ledger_transfers_of_payment check (payment_id is not null or kind = 'adjustment'),
  constraint ledger_transfers_ways check (case kind
    when 'capture' then debit_code like 'clearing.%' and credit_code = 'merchant.payable'
    when 'fee' then debit_code = 'merchant.payable' and credit_code = 'fee.revenue'
    when 'duplicate_capture' then debit_code like 'clearing.%' and credit_code = 'refunds.payable'
    when 'refund_reserve' then debit_code = 'merchant.payable' and credit_code = 'refunds.payable'
    when 'refund_paid' then debit_code in ('refunds.payable', 'merchant.payable') and credit_code like 'clearing.%'
    when 'refund_released' then debit_code = 'refunds.payable' and credit_code = 'merchant.payable'
    when 'adjustment' then 'refunds.payable' not in (debit_code, credit_code) and 'bank.clearing' not in (debit_code, credit_code)
  end)
);
create trigger ledger_transfers_append_only before update or delete on ledger_transfers
  for each row execute function refuse_change();
create trigger ledger_transfers_no_truncate before truncate on ledger_transfers
  for each statement execute function refuse_change();

-- The transfers that are not in the balances yet.
create index ledger_transfers_by_position on ledger_transfers (position);
-- Invariant: a payment is captured once, whichever attempt succeeds.
create unique index ledger_transfers_one_capture on ledger_transfers (account_id, payment_id) where kind = 'capture';

-- Invariant: a refund leaves an account only with the whole amount that came into it for the same refund. It leaves refunds.payable once, so
-- the account is never overdrawn, and is paid out of merchant.payable only after its reserve was released there.
create unique index ledger_transfers_leave_reserve_once on ledger_transfers (account_id, cause_id)
  where debit_code = 'refunds.payable';
create function ledger_transfers_guard_refund() returns trigger language plpgsql as $$
begin
  if not exists (
    select from ledger_transfers
    where account_id = new.account_id and cause_id = new.cause_id and credit_code = new.debit_code
      and (payment_id, currency, amount_minor) = (new.payment_id, new.currency, new.amount_minor)
  ) then
    raise exception 'no such amount came into % for %', new.debit_code, new.cause_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger ledger_transfers_guard_refund before insert on ledger_transfers
  for each row when (new.kind in ('refund_paid', 'refund_released') and new.debit_code in ('refunds.payable', 'merchant.payable'))
  execute function ledger_transfers_guard_refund();

-- A correction by an operator, after the provider moved another amount than requested, or reversed a payment. One more transfer corrects
-- clearing.<provider>; no transfer is ever changed.
--
-- Invariants: an adjustment has a reason and an actor; it is exactly one transfer, of the same accounts and amount; it never changes; it
-- never touches refunds.payable, whose money only leaves for the refund that it came in for.
create table ledger_adjustments (
  account_id   uuid        not null references environments (id),
  id           uuid        not null,
  payment_id   uuid,
  debit_code   text        not null,
  credit_code  text        not null,
  currency     text        not null,
  amount_minor bigint      not null check (amount_minor > 0),
  reason       text        not null check (length(btrim(reason)) between 1 and 300),
  actor        text        not null check (length(btrim(actor)) between 1 and 200),
  created_at   timestamptz not null,
  primary key (account_id, id),
  constraint ledger_adjustments_between_two_accounts check (debit_code <> credit_code)
);
create trigger ledger_adjustments_append_only before update or delete on ledger_adjustments
  for each row execute function refuse_change();
create trigger ledger_adjustments_no_truncate before truncate on ledger_adjustments
  for each statement execute function refuse_change();

create function ledger_transfers_guard_adjustment() returns trigger language plpgsql as $$
begin
  if not exists (
    select from ledger_adjustments a
    where a.account_id = new.account_id and a.id = new.cause_id and a.payment_id is not distinct from new.payment_id
      and (a.debit_code, a.credit_code, a.currency, a.amount_minor) = (new.debit_code, new.credit_code, new.currency, new.amount_minor)
  ) then
    raise exception 'the transfer of % has no such adjustment', new.cause_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger ledger_transfers_guard_adjustment before insert on ledger_transfers
  for each row when (new.kind = 'adjustment') execute function ledger_transfers_guard_adjustment();

create function ledger_adjustments_guard_transfer() returns trigger language plpgsql as $$
begin
  if not exists (
    select from ledger_transfers
    where account_id = new.account_id and cause_id = new.id and kind = 'adjustment'
  ) then
    raise exception 'the adjustment % has no transfer', new.id using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_adjustments_are_booked after insert on ledger_adjustments
  deferrable initially deferred for each row execute function ledger_adjustments_guard_transfer();

-- The balance of each account is stored, not summed over all transfers. A payment only inserts transfers, and locks no balance and no account.
-- The aggregator adds the transfers to the balances in the order of their transactions.
--
-- Invariant: at any moment, for every account, its row is the sum of its transfers below the position of the balances.
create table ledger_account_balances (
  account_id   uuid   not null,
  code         text   not null,
  currency     text   not null,
  debit_minor  bigint not null check (debit_minor >= 0),
  credit_minor bigint not null check (credit_minor >= 0),
  primary key (account_id, code, currency)
) with (fillfactor = 80);

create table ledger_balance_position (
  is_only  boolean primary key default true check (is_only),
  position bigint  not null
);
insert into ledger_balance_position (position) values (0);

-- Invariants: a transfer is between accounts that exist, and none is written below the position of the balances, where the aggregator would
-- never find it. Accounts are never removed, so that no lock has to keep them, as a foreign key would.
create function ledger_transfers_guard_posting() returns trigger language plpgsql as $$
begin
  if exists (
    select from posted cross join lateral (values (debit_code), (credit_code)) as side (code)
    where not exists (
      select from ledger_accounts a
      where a.account_id = posted.account_id and a.code = side.code and a.currency = posted.currency)
  ) then
    raise exception 'a transfer names an account that does not exist'
      using errcode = 'foreign_key_violation', constraint = 'ledger_transfers_accounts';
  end if;
  if (select min(position) from posted) < (select position from ledger_balance_position) then
    raise exception 'a transfer is below the position of the balances' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger ledger_transfers_guard_posting after insert on ledger_transfers
  referencing new table as posted for each statement execute function ledger_transfers_guard_posting();

-- Adds transfers to the balances in the caller's transaction, those of all transactions up to the limit, and returns their number. One
-- aggregator works at a time; another one returns 0.
create function aggregate_ledger_balances(most integer) returns integer language plpgsql as $$
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
  ), moved as (
    update ledger_balance_position set position = (select position from reached) where exists (select from taken)
  )
  select count(*) into applied from taken;
  return applied;
end $$;

-- Sums all transfers anew. Nobody waits meanwhile.
create function rebuild_ledger_balances() returns void language plpgsql as $$
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
end $$;

-- The transfers that are not in the balances yet, of all accounts: few, and found by their position alone, which offset 0 makes sure of.
create view ledger_new_transfers as
select * from ledger_transfers where position >= (select position from ledger_balance_position) offset 0;

-- The balance of each account at this moment, debits less credits. It sums to zero over an environment's accounts in each currency.
create view ledger_balances as
select account_id, code, currency, sum(debit_minor)::bigint as debit_minor, sum(credit_minor)::bigint as credit_minor,
  (sum(debit_minor) - sum(credit_minor))::bigint as balance_minor
from (
  select account_id, code, currency, debit_minor, credit_minor from ledger_account_balances
  union all
  select account_id, side.code, currency, side.debit, side.credit
  from ledger_new_transfers
  cross join lateral (values (debit_code, amount_minor, 0::bigint), (credit_code, 0::bigint, amount_minor)) as side (code, debit, credit)
) as sides
group by account_id, code, currency;

-- The accounts where the invariant does not hold: balances, and the transfers below their position. A row is a discrepancy.
create view ledger_balances_drift as
select account_id, code, currency,
  sum(kept_debit)::bigint as kept_debit_minor, sum(kept_credit)::bigint as kept_credit_minor,
  sum(true_debit)::bigint as true_debit_minor, sum(true_credit)::bigint as true_credit_minor
from (
  select account_id, code, currency, debit_minor as kept_debit, credit_minor as kept_credit, 0::bigint as true_debit, 0::bigint as true_credit
  from ledger_account_balances
  union all
  select account_id, side.code, currency, 0, 0, side.debit, side.credit
  from ledger_transfers
  cross join lateral (values (debit_code, amount_minor, 0::bigint), (credit_code, 0::bigint, amount_minor)) as side (code, debit, credit)
  where position < (select position from ledger_balance_position)
) as both_sides
group by account_id, code, currency
having sum(kept_debit) <> sum(true_debit) or sum(kept_credit) <> sum(true_credit);
