create table applications (
  merchant_id         uuid        not null references merchants (id),
  id                  uuid        not null,
  name                text        not null check (length(name) between 1 and 100),
  description         text        not null check (length(description) between 1 and 2000),
  category            text        not null,
  status              text        not null default 'active' check (status in ('active', 'inactive')),
  bank_account_number text,
  bank_account_name   text,
  bank_account_type   text,
  name_approved       boolean     not null default false,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  primary key (merchant_id, id)
);

-- A key is found by a keyed hash and shown again from its sealed form; neither opens without the master key.
create table application_keys (
  merchant_id    uuid        not null,
  application_id uuid        not null,
  id             uuid        not null,
  mode           text        not null check (mode in ('test', 'live')),
  lookup         bytea       not null unique check (length(lookup) = 32),
  sealed         bytea       not null,
  created_at     timestamptz not null,
  revoked_at     timestamptz,
  primary key (merchant_id, application_id, id),
  foreign key (merchant_id, application_id) references applications (merchant_id, id)
);

create unique index application_keys_one_in_force on application_keys (merchant_id, application_id, mode)
  where revoked_at is null;
