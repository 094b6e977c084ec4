-- The movements of a merchant's money in the order of their times, for the accountant's file. A fee is found by the key of its capture.
drop index concurrently if exists ledger_transfers_of_merchant;
create index concurrently ledger_transfers_of_merchant on ledger_transfers (account_id, created_at)
  where kind <> 'fee' and (debit_code = 'merchant.payable' or credit_code = 'merchant.payable');
