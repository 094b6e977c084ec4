-- Double entry: a transfer debits one account and credits another by the same amount, so no row can be out of balance.
-- Accounts belong to a merchant, system accounts (what a provider holds for us) included: a row that every merchant's payment
-- would touch does not exist.
create table ledger_accounts (
  merchant_id uuid not null references merchants (id),
  code        text not null check (code in ('merchant.payable', 'refunds.payable') or code ~ '^clearing\.[a-z0-9-]+$'),
  currency    text not null check (currency ~ '^[A-Z]{3}$'),
  primary key (merchant_id, code, currency)
);

create table ledger_transfers (
  merchant_id  uuid        not null,
  id           uuid        not null,
  kind         text        not null check (kind in ('capture', 'refund_reserve', 'refund_paid', 'refund_released')),
  debit_code   text        not null,
  credit_code  text        not null,
  currency     text        not null,
  amount_minor bigint      not null check (amount_minor > 0),
  payment_id   uuid        not null,
  cause_id     uuid        not null,
  created_at   timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, debit_code, currency) references ledger_accounts (merchant_id, code, currency),
  foreign key (merchant_id, credit_code, currency) references ledger_accounts (merchant_id, code, currency),
  check (debit_code <> credit_code)
);

-- One cause moves money once for each kind of transfer, however often its outcome is told.
create unique index ledger_transfers_once on ledger_transfers (merchant_id, cause_id, kind);
-- A payment is captured once, whichever attempt succeeds.
create unique index ledger_transfers_one_capture on ledger_transfers (merchant_id, payment_id) where kind = 'capture';

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

create trigger ledger_transfers_append_only before update or delete on ledger_transfers
  for each row execute function refuse_change();
create trigger ledger_transfers_no_truncate before truncate on ledger_transfers
  for each statement execute function refuse_change();
create trigger ledger_accounts_append_only before update or delete on ledger_accounts
  for each row execute function refuse_change();
create trigger ledger_accounts_no_truncate before truncate on ledger_accounts
  for each statement execute function refuse_change();

-- What each account holds, debits less credits. It sums to zero over a merchant's accounts in each currency.
create view ledger_balances as
select a.merchant_id, a.code, a.currency,
  (coalesce((select sum(d.amount_minor) from ledger_transfers d
     where d.merchant_id = a.merchant_id and d.debit_code = a.code and d.currency = a.currency), 0)
 - coalesce((select sum(c.amount_minor) from ledger_transfers c
     where c.merchant_id = a.merchant_id and c.credit_code = a.code and c.currency = a.currency), 0))::bigint as balance_minor
from ledger_accounts a;
