-- Several refunds of one payment may be under way at once: one may wait for an operator for days. What holds is their sum, by the check
-- on the payment.
drop index refunds_one_open;

-- awaiting_operator: the provider cannot send the money back, so a person does. duplicate: the gateway itself gives back what was paid
-- although the payment was paid already; that money is the payer's and never the merchant's.
alter table refunds
  add column application_id uuid,
  add column origin text not null default 'merchant' check (origin in ('merchant', 'duplicate')),
  add column reason text,
  drop constraint refunds_status_check,
  add constraint refunds_status_check
    check (status in ('sending', 'pending', 'unknown', 'awaiting_operator', 'completed', 'failed')),
  add constraint refunds_of_operator check (status <> 'awaiting_operator' or next_check_at is null),
  add constraint refunds_duplicate_stays check (origin <> 'duplicate' or status <> 'failed');
update refunds r set application_id = p.application_id from payments p where p.merchant_id = r.merchant_id and p.id = r.payment_id;
alter table refunds alter column application_id set not null;

create unique index refunds_by_id on refunds (id);
create index refunds_of_application on refunds (merchant_id, application_id, id);
-- What a person has to look at: what nobody else sends, and what is not asked for any more.
create index refunds_for_operator on refunds (created_at)
  where status = 'awaiting_operator' or (status in ('sending', 'pending', 'unknown') and next_check_at is null);
-- One second success is given back once.
create unique index refunds_one_duplicate on refunds (merchant_id, attempt_id) where origin = 'duplicate';

create function refunds_keep_facts() returns trigger language plpgsql as $$
begin
  raise exception 'the facts of refund % do not change', old.id using errcode = 'restrict_violation';
end $$;
create trigger refunds_facts before update on refunds for each row
  when ((old.merchant_id, old.id, old.payment_id, old.attempt_id, old.amount_minor, old.currency, old.origin)
    is distinct from (new.merchant_id, new.id, new.payment_id, new.attempt_id, new.amount_minor, new.currency, new.origin)
    or (old.status = 'completed' and new.status <> 'completed'))
  execute function refunds_keep_facts();

-- A duplicate's money is owed to the payer from the moment it comes.
alter table ledger_transfers
  drop constraint ledger_transfers_kind_check,
  add constraint ledger_transfers_kind_check
    check (kind in ('capture', 'fee', 'duplicate_capture', 'refund_reserve', 'refund_paid', 'refund_released')),
  drop constraint ledger_transfers_ways,
  add constraint ledger_transfers_ways check (case kind
    when 'capture' then debit_code like 'clearing.%' and credit_code = 'merchant.payable'
    when 'fee' then debit_code = 'merchant.payable' and credit_code = 'fee.revenue'
    when 'duplicate_capture' then debit_code like 'clearing.%' and credit_code = 'refunds.payable'
    when 'refund_reserve' then debit_code = 'merchant.payable' and credit_code = 'refunds.payable'
    when 'refund_paid' then debit_code in ('refunds.payable', 'merchant.payable') and credit_code like 'clearing.%'
    when 'refund_released' then debit_code = 'refunds.payable' and credit_code = 'merchant.payable'
  end);

-- What is owed to payers is never overdrawn: each refund leaves refunds.payable at most once, and only as much of it as came in for it.
create unique index ledger_transfers_leave_reserve_once on ledger_transfers (merchant_id, cause_id)
  where debit_code = 'refunds.payable';
create function ledger_transfers_guard_reserve() returns trigger language plpgsql as $$
begin
  if not exists (
    select from ledger_transfers
    where merchant_id = new.merchant_id and cause_id = new.cause_id and credit_code = 'refunds.payable'
      and (payment_id, currency, amount_minor) = (new.payment_id, new.currency, new.amount_minor)
  ) then
    raise exception 'nothing like this is reserved for %', new.cause_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger ledger_transfers_from_reserve before insert on ledger_transfers
  for each row when (new.debit_code = 'refunds.payable') execute function ledger_transfers_guard_reserve();
