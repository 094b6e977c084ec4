-- The phone number of a payment's customer in E.164 at its creation, for the search. It stays when the payer pays from another number, so that
-- the change of the row writes no index entry. Null for payments of earlier versions: the number that paid finds them.
alter table payments add column search_phone text;
