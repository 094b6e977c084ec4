-- What stands on each account is kept, not summed over all transfers. Whoever writes transfers notes them beside, in the same statement,
-- and waits for nobody; a folder adds the notes up and removes them. No balance is locked by a payment.
--
-- The invariant: at any moment, for every account, its row + its notes = the sums of its transfers.
create table ledger_account_balances (
  merchant_id  uuid   not null,
  code         text   not null,
  currency     text   not null,
  debit_minor  bigint not null check (debit_minor >= 0),
  credit_minor bigint not null check (credit_minor >= 0),
  primary key (merchant_id, code, currency)
) with (fillfactor = 80);

-- Without a key: the folder takes whichever come first, and they are few.
create table ledger_unfolded (
  merchant_id  uuid   not null,
  debit_code   text   not null,
  credit_code  text   not null,
  currency     text   not null,
  amount_minor bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_analyze_scale_factor = 10);

create function ledger_note_transfers() returns trigger language plpgsql as $$
begin
  insert into ledger_unfolded select merchant_id, debit_code, credit_code, currency, amount_minor from posted;
  return null;
end $$;
create trigger ledger_transfers_noted after insert on ledger_transfers
  referencing new table as posted for each statement execute function ledger_note_transfers();

-- Adds notes up, at most as many as asked, in the caller's transaction, and returns how many. One folder works at a time; others return.
create function fold_ledger(most integer) returns integer language plpgsql as $$
declare
  taken_now integer;
begin
  if not pg_try_advisory_xact_lock(7823486516401) then
    return 0;
  end if;
  with taken as materialized (
    delete from ledger_unfolded where ctid = any (array(select ctid from ledger_unfolded limit most)) returning *
  ), added as (
    insert into ledger_account_balances as kept (merchant_id, code, currency, debit_minor, credit_minor)
    select merchant_id, side.code, currency, sum(side.debit), sum(side.credit)
    from taken cross join lateral (values (debit_code, amount_minor, 0::bigint), (credit_code, 0::bigint, amount_minor)) as side (code, debit, credit)
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (merchant_id, code, currency) do update
      set debit_minor = kept.debit_minor + excluded.debit_minor, credit_minor = kept.credit_minor + excluded.credit_minor
  )
  select count(*) into taken_now from taken;
  return taken_now;
end $$;

-- Sums everything again. Writers of transfers wait meanwhile.
create function rebuild_ledger_balances() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7823486516401);
  lock table ledger_transfers in share mode;
  delete from ledger_unfolded;
  delete from ledger_account_balances;
  insert into ledger_account_balances (merchant_id, code, currency, debit_minor, credit_minor)
  select merchant_id, side.code, currency, sum(side.debit), sum(side.credit)
  from ledger_transfers
  cross join lateral (values (debit_code, amount_minor, 0::bigint), (credit_code, 0::bigint, amount_minor)) as side (code, debit, credit)
  group by 1, 2, 3;
end $$;

select rebuild_ledger_balances();

-- What each account holds, debits less credits, at this moment. It sums to zero over a merchant's accounts in each currency.
drop view ledger_balances;
create view ledger_balances as
select merchant_id, code, currency, sum(debit_minor)::bigint as debit_minor, sum(credit_minor)::bigint as credit_minor,
  (sum(debit_minor) - sum(credit_minor))::bigint as balance_minor
from (
  select merchant_id, code, currency, debit_minor, credit_minor from ledger_account_balances
  union all
  select merchant_id, debit_code, currency, amount_minor, 0 from ledger_unfolded
  union all
  select merchant_id, credit_code, currency, 0, amount_minor from ledger_unfolded
) as sides
group by merchant_id, code, currency;

-- Where the invariant does not hold: what balances and notes say, and what the transfers say. Empty, or something is wrong.
create view ledger_balances_drift as
select merchant_id, code, currency,
  sum(kept_debit)::bigint as kept_debit_minor, sum(kept_credit)::bigint as kept_credit_minor,
  sum(true_debit)::bigint as true_debit_minor, sum(true_credit)::bigint as true_credit_minor
from (
  select merchant_id, code, currency, debit_minor as kept_debit, credit_minor as kept_credit, 0::bigint as true_debit, 0::bigint as true_credit
  from ledger_balances
  union all
  select merchant_id, debit_code, currency, 0, 0, amount_minor, 0 from ledger_transfers
  union all
  select merchant_id, credit_code, currency, 0, 0, 0, amount_minor from ledger_transfers
) as both_sides
group by merchant_id, code, currency
having sum(kept_debit) <> sum(true_debit) or sum(kept_credit) <> sum(true_credit);

-- What the ledger must say of each payment, beside what the payment says: gross and fee when it is paid, what was given back, and what
-- is set aside for it. Empty, or something is wrong.
create view payment_ledger_drift as
select coalesce(p.merchant_id, booked.merchant_id) as merchant_id, coalesce(p.id, booked.payment_id) as payment_id
from payments p
full join (
  select merchant_id, payment_id,
    coalesce(sum(amount_minor) filter (where kind = 'capture'), 0) as gross,
    coalesce(sum(amount_minor) filter (where kind = 'fee'), 0) as fee,
    coalesce(sum(amount_minor) filter (where kind = 'refund_reserve'), 0)
      - coalesce(sum(amount_minor) filter (where kind = 'refund_released'), 0)
      -- Paid after it had been refused: out of what the merchant is owed, for its reserve is gone.
      + coalesce(sum(amount_minor) filter (where kind = 'refund_paid' and debit_code = 'merchant.payable'), 0) as given_back
  from ledger_transfers group by merchant_id, payment_id
) as booked on booked.merchant_id = p.merchant_id and booked.payment_id = p.id
where p.id is null
  or coalesce(booked.gross, 0) <> case when p.completed_at is null then 0 else p.amount_minor end
  or coalesce(booked.fee, 0) <> coalesce(p.fee_minor, 0)
  or coalesce(booked.given_back, 0) <> p.refunded_minor + p.refund_pending_minor;
