-- A browser that signed in keeps a secret cookie from then on; here is its keyed hash. What is counted for an account is counted for
-- each such device apart, and for all strangers together: they cannot use up what is the owner's.
create table devices (
  merchant_id   uuid        not null references merchants (id),
  token_hash    bytea       not null check (length(token_hash) = 32),
  first_used_at timestamptz not null,
  last_used_at  timestamptz not null,
  primary key (merchant_id, token_hash)
);
create index devices_token_hash on devices (token_hash);
create index devices_last_used_at on devices (last_used_at);

-- How long somebody has to wait before the next password is looked at: a key stands for an account and a device, for an account and
-- all strangers, or for an address.
create table sign_in_failures (
  key          bytea       primary key check (length(key) = 32),
  failures     integer     not null check (failures >= 0),
  free_at      timestamptz not null,
  forgotten_at timestamptz not null
);
create index sign_in_failures_forgotten_at on sign_in_failures (forgotten_at);

alter table one_time_codes
  add column device_hash bytea check (length(device_hash) = 32),
  add column asked_for bytea check (length(asked_for) = 32);

comment on column one_time_codes.device_hash is 'The known device that asked; null for a stranger';
comment on column one_time_codes.asked_for is 'Keyed hash of the email that was typed: tries are counted by it, account or none';
