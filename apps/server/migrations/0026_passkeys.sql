-- A passkey may take the place of the mailed code. The private half never leaves its owner's device; a credential is one account's.
create table passkeys (
  merchant_id   uuid        not null references merchants (id),
  id            uuid        not null,
  credential_id bytea       not null unique check (length(credential_id) between 1 and 1023),
  public_key    bytea       not null check (length(public_key) between 1 and 4096),
  sign_count    bigint      not null check (sign_count between 0 and 4294967295),
  transports    text[]      not null,
  synced        boolean     not null,
  name          text        not null check (length(name) between 1 and 60),
  created_at    timestamptz not null,
  last_used_at  timestamptz,
  primary key (merchant_id, id)
);

-- What a passkey is asked to sign, for one sign-in or one session: kept here, taken once, and only the latest counts.
create table passkey_challenges (
  merchant_id uuid        not null references merchants (id),
  purpose     text        not null check (purpose in ('signin', 'add')),
  attempt     uuid        not null,
  challenge   bytea       not null check (length(challenge) = 32),
  expires_at  timestamptz not null,
  primary key (merchant_id, purpose, attempt)
);
create index passkey_challenges_expires_at on passkey_challenges (expires_at);

comment on column passkeys.synced is 'Whether its maker copies it to the owner''s other devices';
comment on column passkey_challenges.attempt is 'The one-time code beside which it is asked for, or the session that adds a passkey';
