-- What a merchant is charged for a payment is fixed when the payment is captured: gross is the amount, net the amount less the fee.
-- Later prices change neither, and a refund keeps the fee.
alter table payments add column fee_minor bigint;

-- Nothing was charged for what was captured before there were fees. The notes of changes know no fee and are not told.
alter table payments disable trigger user;
update payments set fee_minor = 0 where completed_at is not null;
alter table payments enable trigger user;

alter table payments
  add constraint payments_fee_within_amount check (fee_minor between 0 and amount_minor),
  add constraint payments_fee_when_paid check ((fee_minor is not null) = (completed_at is not null));

create function payments_keep_fee() returns trigger language plpgsql as $$
begin
  raise exception 'the fee of payment % does not change', old.id using errcode = 'restrict_violation';
end $$;
create trigger payments_fee_once before update on payments for each row
  when (old.fee_minor is not null and new.fee_minor is distinct from old.fee_minor)
  execute function payments_keep_fee();

-- What the gateway has earned, and what it holds at banks for later payouts.
alter table ledger_accounts
  drop constraint ledger_accounts_code_check,
  add constraint ledger_accounts_code_check check (
    code in ('merchant.payable', 'refunds.payable', 'fee.revenue', 'bank.clearing') or code ~ '^clearing\.[a-z0-9-]+$');

-- Each kind of transfer goes from one kind of account to another and nowhere else. A refund is paid out of its reserve; one that its
-- provider paid after it had refused it is taken from the merchant, to whom the reserve had gone back.
alter table ledger_transfers
  drop constraint ledger_transfers_kind_check,
  add constraint ledger_transfers_kind_check check (kind in ('capture', 'fee', 'refund_reserve', 'refund_paid', 'refund_released')),
  add constraint ledger_transfers_ways check (case kind
    when 'capture' then debit_code like 'clearing.%' and credit_code = 'merchant.payable'
    when 'fee' then debit_code = 'merchant.payable' and credit_code = 'fee.revenue'
    when 'refund_reserve' then debit_code = 'merchant.payable' and credit_code = 'refunds.payable'
    when 'refund_paid' then debit_code in ('refunds.payable', 'merchant.payable') and credit_code like 'clearing.%'
    when 'refund_released' then debit_code = 'refunds.payable' and credit_code = 'merchant.payable'
  end);
