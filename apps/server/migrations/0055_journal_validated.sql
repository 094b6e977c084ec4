-- The checks that 0054 added: they read their tables and stop no writer.
alter table environments validate constraint environments_house_has_a_reserved_id;
alter table ledger_accounts validate constraint ledger_accounts_code_check;
alter table ledger_transfers validate constraint ledger_transfers_ways;
