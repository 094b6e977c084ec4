-- Invariant: a duplicate charge is refunded once, and a bounced refund is replaced once.
drop index concurrently if exists refunds_one_of_duplicate;
create unique index concurrently refunds_one_of_duplicate on refunds (account_id, attempt_id)
  where origin = 'duplicate' and replaces_id is null;
drop index concurrently if exists refunds_one_replacement;
create unique index concurrently refunds_one_replacement on refunds (account_id, replaces_id) where replaces_id is not null;
drop index concurrently if exists refunds_one_duplicate;
