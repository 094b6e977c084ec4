-- A merchant is one account: a person or a business that takes payments.
create table documents (
  id          uuid        primary key,
  storage_key text        not null unique,
  size_bytes  integer     not null check (size_bytes > 0),
  sha256      bytea       not null check (length(sha256) = 32),
  uploaded_at timestamptz not null
);

create table merchants (
  id                 uuid        primary key,
  account_type       text        not null check (account_type in ('individual', 'business')),
  fullname           text        not null check (length(fullname) between 1 and 200),
  email              text        not null check (length(email) between 3 and 254),
  phone              text        not null check (length(phone) between 1 and 32),
  password_hash      text        not null,
  document_type      text        not null,
  document_id        uuid        not null unique references documents (id),
  time_zone          text        not null default 'Africa/Harare',
  reporting_currency text        not null default 'USD' check (reporting_currency ~ '^[A-Z]{3}$'),
  created_at         timestamptz not null,
  check (
    (account_type = 'individual' and document_type in ('passport', 'national_id', 'driver_license')) or
    (account_type = 'business' and document_type in ('certificate_of_incorporation', 'tax_id'))
  )
);

-- One address, one account, whatever the case it is typed in.
create unique index merchants_email on merchants (lower(email));

create table one_time_codes (
  id          uuid        primary key,
  merchant_id uuid        not null references merchants (id),
  purpose     text        not null check (purpose in ('signin')),
  code_hash   bytea       not null check (length(code_hash) = 32),
  tries       integer     not null default 0 check (tries between 0 and tries_allowed),
  tries_allowed integer   not null,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  used_at     timestamptz
);

create table sessions (
  merchant_id  uuid        not null references merchants (id),
  id           uuid        not null,
  created_at   timestamptz not null,
  last_used_at timestamptz not null,
  expires_at   timestamptz not null,
  ended_at     timestamptz,
  end_reason   text        check (end_reason in ('signed_out', 'refresh_reused')),
  primary key (merchant_id, id),
  check ((ended_at is null) = (end_reason is null))
);

-- Each row is one link of a session's chain of refresh tokens. A token is good once; its successor is kept so that a lost answer
-- can be given again, which is why issue time and id of a token are stored and the token itself is not.
create table refresh_tokens (
  merchant_id  uuid        not null,
  session_id   uuid        not null,
  id           uuid        not null,
  issued_at    timestamptz not null,
  used_at      timestamptz,
  successor_id uuid,
  primary key (merchant_id, session_id, id),
  foreign key (merchant_id, session_id) references sessions (merchant_id, id),
  check ((used_at is null) = (successor_id is null))
);
