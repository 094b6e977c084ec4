-- The last comparison of the ledger of each environment. Of all processes, one claims an environment, and all report the results.
create table ledger_comparisons (
  account_id    uuid        not null,
  check_name    text        not null check (check_name in ('balances', 'payments')),
  claimed_at    timestamptz not null,
  compared_at   timestamptz,
  discrepancies integer     check (discrepancies >= 0),
  primary key (account_id, check_name),
  foreign key (account_id) references environments (id) on delete cascade,
  check ((compared_at is null) = (discrepancies is null))
);
