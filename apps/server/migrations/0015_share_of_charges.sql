-- The part of a provider's remaining calls that is left to charges; the other calls of `level` are kept for look-ups and refunds. Null where a
-- process of an earlier version has written the row last.
alter table provider_budgets add column charges double precision;
