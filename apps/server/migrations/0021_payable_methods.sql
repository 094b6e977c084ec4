-- The methods that could take a payment when it was created, with commas between them: a repeated create answers the first response, also when
-- the routes have changed since. Null for payments of earlier versions.
alter table payments add column payable_methods text;
