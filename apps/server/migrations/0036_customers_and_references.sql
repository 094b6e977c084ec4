-- A shop finds its payment by its own word for it, newest first. Only a payment that has one pays for this.
create index payments_by_reference on payments (merchant_id, application_id, reference, id) where reference is not null;

-- A customer of a merchant is an email or, without one, a phone number that its payments named. The id is made from the merchant and
-- that name, so that payments which name it at the same time make one customer, and none has to ask for it first. Two are never
-- joined: a phone may be shared, and an id stays.
create table customers (
  merchant_id uuid not null,
  id          uuid not null,
  -- As one writes it once: in lower case, in composed form.
  email       text check (length(email) between 3 and 254),
  -- In E.164.
  phone       text check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  name        text,
  -- Of what first named it: a UUIDv7, which tells when that was and orders the list.
  first_seen  uuid not null,
  primary key (merchant_id, id),
  check (email is not null or phone is not null)
) with (fillfactor = 90);

create unique index customers_in_order on customers (merchant_id, first_seen);
create index customers_by_phone on customers (merchant_id, phone, first_seen) where phone is not null;

-- Whose payment it is, once that is known; what names the customer of another payment later does not change it.
alter table payments add column customer_id uuid;
