-- Codes, devices, passkeys and challenges belong to a person, and a session names a person and a merchant. The rows of each existing merchant
-- become those of its owner, whose id is the merchant's. The tables are made again, because their keys contain the owner.
create temporary table earlier_one_time_codes on commit drop as select * from one_time_codes;
create temporary table earlier_sessions on commit drop as select * from sessions;
create temporary table earlier_refresh_tokens on commit drop as select * from refresh_tokens;
create temporary table earlier_devices on commit drop as select * from devices;
create temporary table earlier_passkeys on commit drop as select * from passkeys;
create temporary table earlier_passkey_challenges on commit drop as select * from passkey_challenges;
drop table refresh_tokens, sessions, one_time_codes, devices, passkeys, passkey_challenges;

create table one_time_codes (
  id              uuid        primary key,
  person_id       uuid        references persons (id) on delete cascade,
  purpose         text        not null check (purpose in ('signin', 'password_reset')),
  code_hash       bytea       not null check (length(code_hash) = 32),
  link_hash       bytea       unique check (length(link_hash) = 32),
  attempts           integer     not null default 0 constraint one_time_codes_attempts_within_limit check (attempts between 0 and attempts_allowed),
  attempts_allowed   integer     not null,
  device_hash     bytea       check (length(device_hash) = 32),
  email_hash       bytea       check (length(email_hash) = 32),
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  link_expires_at timestamptz,
  used_at         timestamptz,
  ended_at        timestamptz,
  resend_of       uuid        unique references one_time_codes (id) on delete set null,
  constraint one_time_codes_owner check (
    person_id is not null or (purpose = 'password_reset' and used_at is null)
  ),
  constraint one_time_codes_one_end check (used_at is null or ended_at is null),
  constraint one_time_codes_link_whole check ((link_hash is null) = (link_expires_at is null)),
  constraint one_time_codes_link_owner check (
    link_hash is null or (purpose = 'password_reset' and person_id is not null)
  )
);
comment on column one_time_codes.link_hash is 'Keyed hash of the link''s token, bound to its purpose';
comment on column one_time_codes.device_hash is 'The known device that requested the code; null for an unrecognised device';
comment on column one_time_codes.email_hash is 'Keyed hash of the email that was entered; attempts are limited by it, whether or not an account has it';
comment on column one_time_codes.ended_at is 'The time at which another code or a new password replaced this one';
create index one_time_codes_by_person on one_time_codes (person_id, purpose, created_at);
create index one_time_codes_created_at on one_time_codes (created_at);
insert into one_time_codes (id, person_id, purpose, code_hash, link_hash, attempts, attempts_allowed, device_hash, email_hash, created_at, expires_at, link_expires_at, used_at, ended_at, resend_of)
select id, merchant_id, purpose, code_hash, link_hash, attempts, attempts_allowed, device_hash, email_hash, created_at, expires_at, link_expires_at, used_at, ended_at, resend_of from earlier_one_time_codes;

create table sessions (
  merchant_id       uuid        not null references merchants (id) on delete cascade,
  id                uuid        not null,
  person_id         uuid        not null references persons (id) on delete cascade,
  created_at        timestamptz not null,
  last_used_at      timestamptz not null,
  expires_at        timestamptz not null,
  ended_at          timestamptz,
  end_reason        text        check (
    end_reason in (
      'signed_out', 'refresh_reused', 'password_reset', 'operator',
      'password_changed', 'ended_by_owner', 'signed_out_everywhere', 'membership_ended'
    )
  ),
  browser           text        check (length(browser) between 1 and 100),
  network           text        check (length(network) between 1 and 64),
  -- The first time that a session without a device showed the text of a live key.
  live_key_shown_at timestamptz,
  primary key (merchant_id, id),
  constraint sessions_ended_for_a_reason check ((ended_at is null) = (end_reason is null))
);
comment on column sessions.browser is 'The browser that opened the session; null when it did not say';
comment on column sessions.network is 'The address that opened the session, without its last part';
create index sessions_expires_at on sessions (expires_at);
insert into sessions (merchant_id, id, person_id, created_at, last_used_at, expires_at, ended_at, end_reason, browser, network, live_key_shown_at)
select merchant_id, id, merchant_id, created_at, last_used_at, expires_at, ended_at, end_reason, browser, network, live_key_shown_at from earlier_sessions;

create table refresh_tokens (
  merchant_id  uuid        not null,
  session_id   uuid        not null,
  id           uuid        not null,
  issued_at    timestamptz not null,
  used_at      timestamptz,
  successor_id uuid,
  primary key (merchant_id, session_id, id),
  foreign key (merchant_id, session_id) references sessions (merchant_id, id) on delete cascade,
  constraint refresh_tokens_used_has_successor check ((used_at is null) = (successor_id is null))
);
insert into refresh_tokens (merchant_id, session_id, id, issued_at, used_at, successor_id)
select merchant_id, session_id, id, issued_at, used_at, successor_id from earlier_refresh_tokens;

create table devices (
  person_id         uuid        not null references persons (id) on delete cascade,
  token_hash        bytea       not null check (length(token_hash) = 32),
  first_used_at     timestamptz not null,
  last_used_at      timestamptz not null,
  -- The first time that this browser showed the text of a live key.
  live_key_shown_at timestamptz,
  primary key (person_id, token_hash)
);
create index devices_token_hash on devices (token_hash);
create index devices_last_used_at on devices (last_used_at);
insert into devices (person_id, token_hash, first_used_at, last_used_at, live_key_shown_at)
select merchant_id, token_hash, first_used_at, last_used_at, live_key_shown_at from earlier_devices;

create table passkeys (
  person_id     uuid        not null references persons (id) on delete cascade,
  id            uuid        not null,
  credential_id bytea       not null unique check (length(credential_id) between 1 and 1023),
  public_key    bytea       not null check (length(public_key) between 1 and 4096),
  sign_count    bigint      not null check (sign_count between 0 and 4294967295),
  transports    text[]      not null,
  synced        boolean     not null,
  name          text        not null check (length(name) between 1 and 60),
  created_at    timestamptz not null,
  last_used_at  timestamptz,
  primary key (person_id, id)
);
comment on column passkeys.synced is 'Whether its vendor copies it to the owner''s other devices';
insert into passkeys (person_id, id, credential_id, public_key, sign_count, transports, synced, name, created_at, last_used_at)
select merchant_id, id, credential_id, public_key, sign_count, transports, synced, name, created_at, last_used_at from earlier_passkeys;

create table passkey_challenges (
  person_id   uuid        not null references persons (id) on delete cascade,
  purpose     text        not null check (purpose in ('signin', 'add')),
  attempt     uuid        not null,
  challenge   bytea       not null check (length(challenge) = 32),
  expires_at  timestamptz not null,
  primary key (person_id, purpose, attempt)
);
comment on column passkey_challenges.attempt is 'The one-time code that the passkey replaces, or the session that adds a passkey';
create index passkey_challenges_expires_at on passkey_challenges (expires_at);
insert into passkey_challenges (person_id, purpose, attempt, challenge, expires_at)
select merchant_id, purpose, attempt, challenge, expires_at from earlier_passkey_challenges;

create index sessions_by_person on sessions (person_id);

-- Invariant: only a proven person has sessions, and through them applications, keys and everything else.
create or replace function sessions_guard_proof() returns trigger language plpgsql as $$
begin
  if not exists (select from persons where id = new.person_id and proven_at is not null) then
    raise exception 'person % is not proven', new.person_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger sessions_guard_proof before insert on sessions for each row execute function sessions_guard_proof();

-- A merchant's address receives its notices, its language is that of the notices, and a person may own several merchants.
drop index merchants_email;
alter table merchants drop column password_hash;
