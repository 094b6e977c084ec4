-- The authenticator app of a person (RFC 6238), and the recovery codes in its place. The secret is encrypted under a master key.
--
-- Invariants: a code of a 30-second step is accepted once, because last_step only increases; a recovery code is used once.
create table totp_factors (
  person_id  uuid        primary key references persons (id) on delete cascade,
  secret     bytea       not null check (length(secret) between 30 and 100),
  last_step  bigint      not null default 0,
  started_at timestamptz not null,
  enabled_at timestamptz
);
comment on column totp_factors.enabled_at is 'Null until the person has entered a code of the app';

create function totp_factors_guard_step() returns trigger language plpgsql as $$
begin
  raise exception 'a step of the authenticator app of person % is used twice', new.person_id using errcode = 'restrict_violation';
end $$;
create trigger totp_factors_guard_step before update of last_step on totp_factors
  for each row when (new.last_step <= old.last_step and new.secret = old.secret) execute function totp_factors_guard_step();

create table recovery_codes (
  person_id uuid        not null references totp_factors (person_id) on delete cascade,
  code_hash bytea       not null check (length(code_hash) = 32),
  used_at   timestamptz,
  primary key (person_id, code_hash)
);

-- The time since which every member needs an authenticator app or a passkey; null when it is not required.
alter table merchants add column second_factor_since timestamptz;

-- The last time that the person of the session entered a password or a code; null for a session that an earlier version opened.
alter table sessions add column authenticated_at timestamptz;
