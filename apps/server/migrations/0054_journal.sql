-- The journal of money that leaves the gateway: an environment of the house, and columns and accounts that settlements, statements and
-- payouts read.

-- merchant: of the gateway's own mode. tests: of the merchant's test keys. house: what belongs to no merchant, such as one charge of a
-- provider for the payments of many; its id is below all ids that a time begins. Each database has one house, because all accounts of a
-- transfer are in one environment. PostgreSQL writes the rows of this small table anew for the column.
alter table environments
  alter column merchant_id drop not null,
  add column kind text generated always as (case when merchant_id is null then 'house' when id = merchant_id then 'merchant' else 'tests' end) stored;
alter table environments
  add constraint environments_house_has_a_reserved_id check ((merchant_id is null) = (id < '00000000-0000-0000-0001-000000000000')) not valid;
insert into environments (id) values ('00000000-0000-0000-0000-000000000000');

-- Invariant: an environment never changes, and is deleted only with its merchant; the house stays.
create or replace function environments_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.kind <> 'house' and not exists (select from merchants where id = old.merchant_id) then
    return old;
  end if;
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

create or replace function payment_attempts_guard_simulated() returns trigger language plpgsql as $$
begin
  perform from environments where id = new.account_id and kind = 'tests';
  if not found then
    raise exception 'the simulated provider serves test keys only, and not the account %', new.account_id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;

alter table ledger_transfers
  add column application_id uuid,
  add column value_on date;
comment on column ledger_transfers.application_id is 'That of the payment; null without a payment, and for a transfer of a version without the column';
comment on column ledger_transfers.value_on is 'The day of the provider or of the bank, of a transfer that a line of its statement causes; null for any other';

-- Invariant: a transfer is in the currency of its payment, and of its application.
create function ledger_transfers_guard_payment() returns trigger language plpgsql as $$
begin
  if exists (
    select from posted
    join payments on payments.account_id = posted.account_id and payments.id = posted.payment_id
    where payments.currency <> posted.currency or payments.application_id <> posted.application_id
  ) then
    raise exception 'a transfer is not in the currency and of the application of its payment' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger ledger_transfers_guard_payment after insert on ledger_transfers
  referencing new table as posted for each statement execute function ledger_transfers_guard_payment();
drop trigger ledger_transfers_guard_currency on ledger_transfers;
drop function ledger_transfers_guard_currency;

-- merchant.reserve and merchant.disputed: amounts of the merchant that are held back. payouts.payable: amounts on their way to merchants.
-- provider.fees and tax.imtt: what providers and the state keep of the gateway's money. tax.vat: value added tax owed to the state. losses:
-- what nobody pays back. bank.<id>: an account at a bank; bank.clearing: money between the bank and the merchants.
alter table ledger_accounts
  drop constraint ledger_accounts_code_check,
  add constraint ledger_accounts_code_check check (
    code in ('merchant.payable', 'merchant.reserve', 'merchant.disputed', 'payouts.payable', 'refunds.payable', 'unclaimed.payable',
      'fee.revenue', 'provider.fees', 'tax.vat', 'tax.imtt', 'losses', 'suspense')
    or code ~ '^(clearing|bank)\.[a-z0-9-]{1,40}$') not valid;

-- Invariant: an account whose amounts each have their own cause is not adjusted.
alter table ledger_transfers
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
    when 'adjustment' then not array[debit_code, credit_code] && array[
      'refunds.payable', 'unclaimed.payable', 'payouts.payable', 'merchant.reserve', 'merchant.disputed', 'bank.clearing']
  end) not valid;

-- The transfers of payments that name another application than their payment, another provider account than the one that was charged, or a
-- cause that caused nothing of the kind. A row is a discrepancy. The cause of a capture is the completed attempt, of a refund's transfers
-- the refund, and of a reversal the review.
create view payment_transfers_drift as
select t.account_id, t.payment_id, t.cause_id, t.kind
from ledger_transfers t
left join payments p on p.account_id = t.account_id and p.id = t.payment_id
left join refunds r on r.account_id = t.account_id and r.id = t.cause_id and r.payment_id = t.payment_id
left join payment_anomalies v on v.account_id = t.account_id and v.id = t.cause_id and v.payment_id = t.payment_id
left join payment_attempts a on a.account_id = t.account_id and a.payment_id = t.payment_id
  and a.id = case when t.kind in ('capture', 'fee') then t.cause_id when t.kind in ('reversal', 'reversal_undone') then v.attempt_id
    else r.attempt_id end
where t.payment_id is not null and t.kind <> 'adjustment' and (
  a.id is null
  or t.application_id <> p.application_id
  or (t.kind in ('capture', 'fee') and a.status <> 'completed')
  or (t.debit_code like 'clearing.%' and t.debit_code <> 'clearing.' || a.provider)
  or (t.credit_code like 'clearing.%' and t.credit_code <> 'clearing.' || a.provider)
  or (t.kind in ('reversal', 'reversal_undone')
    and ('suspense' in (t.debit_code, t.credit_code)) <> (a.status = 'duplicate')));
