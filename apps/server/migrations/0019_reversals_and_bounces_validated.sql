-- The checks that 0020 added: they read their tables and stop no writer. The new checks contain the two that disappear.
alter table payments
  validate constraint payments_reversed_minor,
  validate constraint payments_reversed_when_paid,
  validate constraint payments_returned_within_amount,
  validate constraint payments_fee_within_captured;
alter table refunds
  validate constraint refunds_bounced,
  validate constraint refunds_unclaimed,
  validate constraint refunds_duplicate_stays;
alter table payment_anomalies
  validate constraint payment_anomalies_kind_check,
  validate constraint payment_anomalies_returned;
alter table ledger_accounts validate constraint ledger_accounts_code_check;
alter table ledger_transfers
  validate constraint ledger_transfers_kind_check,
  validate constraint ledger_transfers_ways;
alter table payments
  drop constraint payments_refunds_within_amount,
  drop constraint payments_fee_within_amount;
