-- The payments and refunds with a reference of a provider. A payment has its reference from its completion on, so that earlier changes of its
-- row stay in their page.
drop index concurrently if exists payments_of_reference;
create index concurrently payments_of_reference on payments (provider_reference_key(provider_reference))
  where provider_reference is not null and completed_at is not null;
drop index concurrently if exists refunds_of_reference;
create index concurrently refunds_of_reference on refunds (provider_reference_key(provider_reference))
  where provider_reference is not null;
