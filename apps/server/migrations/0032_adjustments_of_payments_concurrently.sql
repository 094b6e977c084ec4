-- The state of a payment is read with the adjustments of its charges and refunds.
drop index concurrently if exists ledger_adjustments_of_payment;
create index concurrently ledger_adjustments_of_payment on ledger_adjustments (account_id, payment_id) where payment_id is not null;
