-- An uploaded identity document. A new account claims one document. Unclaimed documents are deleted in three steps: the row is marked as
-- discarded, which stops a later claim; the file is deleted; the row is deleted. A crash in between leaves a row whose remaining steps run
-- later. The pool of unclaimed documents has a size limit: each unclaimed document records its sender, so that the sender with the most
-- bytes makes room.
--
-- The file is replaced by one that is encrypted under another master key.
--
-- Invariant: every file that exists is named by a row. The name of the replacement is committed before the replacement is written, and the
-- name of the replaced file stays until that file is removed.
create table documents (
  id           uuid        primary key,
  storage_key  text        not null unique,
  size_bytes   integer     not null check (size_bytes > 0),
  sha256       bytea       not null check (length(sha256) = 32),
  uploaded_at  timestamptz not null,
  claimed_at   timestamptz,
  discarded_at timestamptz,
  sender       bytea       check (length(sender) = 32),
  key_id       text,
  spare_key    text,
  constraint documents_one_fate check (claimed_at is null or discarded_at is null),
  constraint documents_sender_unclaimed check (claimed_at is null or sender is null)
);
comment on column documents.sender is 'Keyed hash of the network that uploaded the document, until it is claimed';
comment on column documents.key_id is 'The master key under which the file is encrypted; null for a file without an id';
comment on column documents.spare_key is 'The name of a replacement that is not complete, or of a replaced file';
create index documents_unclaimed on documents (uploaded_at) where claimed_at is null;

-- Invariant: a claimed document stays for as long as its account exists. The claim ends with the account, and with the claim the document.
create function documents_guard_claim() returns trigger language plpgsql as $$
begin
  if old.claimed_at is not null and (tg_op = 'DELETE' or new.claimed_at is distinct from old.claimed_at) then
    if tg_op = 'UPDATE' and new.claimed_at is null and new.discarded_at is not null
      and not exists (select from merchants where document_id = old.id) then
      return new;
    end if;
    raise exception 'a claimed document stays' using errcode = 'check_violation';
  end if;
  return coalesce(new, old);
end $$;
create trigger documents_guard_claim before update or delete on documents
  for each row execute function documents_guard_claim();

-- A merchant is one account: a person or a business that takes payments.
--
-- The operator decides which merchants take live money. The row holds the status, its author, its time and its reason; the audit log holds
-- every change. A merchant takes live money when approved. In a gateway for tests no approval is needed, and `new` is enough. A suspended
-- merchant writes nothing until resumed, a closed one never again.
--
-- The first sign-in code proves that the owner reads the account's mail. An unproven account is deleted 48 hours after sign-up with
-- everything that it owns, so that nobody keeps another person's address. A proven account is never deleted.
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
  proven_at          timestamptz,
  prove_by           timestamptz not null default now() + interval '48 hours',
  status             text        not null default 'new' check (status in ('new', 'approved', 'suspended', 'closed')),
  status_changed_at  timestamptz,
  status_changed_by  text        check (length(status_changed_by) between 1 and 100),
  status_reason      text        check (length(status_reason) between 1 and 300),
  approved_at        timestamptz,
  prompt_name        text        check (length(prompt_name) between 1 and 200),
  locale             text        check (locale in ('en', 'sn', 'nd')),
  erased_at          timestamptz,
  constraint merchants_document_of_account_type check (
    (account_type = 'individual' and document_type in ('passport', 'national_id', 'driver_license')) or
    (account_type = 'business' and document_type in ('certificate_of_incorporation', 'tax_id'))
  ),
  constraint merchants_status_explained check (
    num_nonnulls(status_changed_at, status_changed_by, status_reason) = 3
    or (status = 'new' and num_nonnulls(status_changed_at, status_changed_by, status_reason) = 0)
  ),
  -- A resumed merchant returns to the status before the suspension: approved if ever approved, else new.
  constraint merchants_approval check (
    case status when 'new' then approved_at is null when 'approved' then approved_at is not null else true end
  ),
  constraint merchants_approval_with_name check ((approved_at is null) = (prompt_name is null))
);
comment on column merchants.proven_at is 'The time at which the owner first entered a mailed code; null until then';
comment on column merchants.prove_by is 'The time at which an unproven account is deleted';
comment on column merchants.locale is 'Null for a merchant who has not chosen one: then it is the language of the browser';
comment on column merchants.prompt_name is 'The merchant''s name as the operator approved it, shown in the wallet''s prompt for live money';

-- erased_at: the time at which the personal details of a closed merchant were replaced. The row stays, because the ledger refers to it.
--
-- Invariant: only a closed merchant is erased, and never restored.
create function merchants_guard_erasure() returns trigger language plpgsql as $$
begin
  if old.erased_at is not null or new.status <> 'closed' then
    raise exception 'merchant % is not closed, or was erased', new.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger merchants_guard_erasure before update on merchants
  for each row when (old.erased_at is distinct from new.erased_at) execute function merchants_guard_erasure();

-- Invariant: an email has one account, in whatever case it is typed.
create unique index merchants_email on merchants (lower(email));
create index merchants_by_status on merchants (status, id);
create index merchants_unproven on merchants (id) where proven_at is null;

-- Invariant: an account's document is claimed. The deletion of unclaimed documents never deletes the document of an account.
create function merchants_guard_document() returns trigger language plpgsql as $$
begin
  if not exists (select from documents where id = new.document_id and claimed_at is not null) then
    raise exception 'an account needs a document that it has claimed'
      using errcode = 'check_violation', constraint = 'merchants_document_claimed';
  end if;
  return new;
end $$;
create constraint trigger merchants_guard_document after insert or update of document_id on merchants
  for each row execute function merchants_guard_document();

-- Invariant: a merchant begins as new, its status moves along these pairs only, and its first approval never changes.
create function merchants_guard_status() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    raise exception 'merchant % begins as new', new.id using errcode = 'restrict_violation';
  end if;
  if (old.status, new.status) not in (
    ('new', 'approved'), ('new', 'suspended'), ('new', 'closed'),
    ('approved', 'suspended'), ('approved', 'closed'),
    ('suspended', 'approved'), ('suspended', 'new'), ('suspended', 'closed')
  ) and old.status <> new.status then
    raise exception 'merchant % cannot move from % to %', old.id, old.status, new.status using errcode = 'restrict_violation';
  end if;
  if old.approved_at is distinct from new.approved_at and not (old.status = 'new' and new.status = 'approved') then
    raise exception 'the approval of merchant % does not change', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger merchants_guard_first_status before insert on merchants
  for each row when (new.status <> 'new') execute function merchants_guard_status();
create trigger merchants_guard_status before update on merchants
  for each row when (old.status <> new.status or old.approved_at is distinct from new.approved_at)
  execute function merchants_guard_status();

-- Invariant: the proof of an account never changes, and a proven account is never deleted.
create function merchants_guard_proof() returns trigger language plpgsql as $$
begin
  if old.proven_at is not null and (tg_op = 'DELETE' or new.proven_at is distinct from old.proven_at) then
    raise exception 'merchant % is proven and stays', old.id using errcode = 'restrict_violation';
  end if;
  return coalesce(new, old);
end $$;
create trigger merchants_guard_proof before update of proven_at or delete on merchants
  for each row execute function merchants_guard_proof();

-- A merchant of a live gateway has two environments: live data, and test data. The id of an environment is the account_id that leads the key
-- of every table of applications, payments and money, so that the wall between two merchants is also the wall between the two environments, and no query
-- can forget to ask for the mode. The environment of the gateway's own mode has the merchant's own id.
create table environments (
  id          uuid primary key,
  merchant_id uuid not null references merchants (id) on delete cascade
);
create unique index environments_one_for_tests on environments (merchant_id) where id <> merchant_id;

-- Invariant: an environment never changes and is deleted only with its merchant. The cascade runs as the owner of the table, so the serving
-- role needs no right to delete environments.
create function environments_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and not exists (select from merchants where id = old.merchant_id) then
    return old;
  end if;
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;
create trigger environments_guard before update or delete on environments for each row execute function environments_guard();
create trigger environments_no_truncate before truncate on environments for each statement execute function refuse_change();

-- A mailed code that signs in or resets a password. The mail of a password reset carries a link beside the code. The link has 256 random
-- bits, so nobody can use up its attempts. Code and link are one row, so that the use of one ends the other.
--
-- A password reset issues an id before the gateway knows whether the email has an account. So a row may lack a merchant: it counts
-- attempts like any other, and no code verifies it.
create table one_time_codes (
  id              uuid        primary key,
  merchant_id     uuid        references merchants (id),
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
    merchant_id is not null or (purpose = 'password_reset' and used_at is null)
  ),
  constraint one_time_codes_one_end check (used_at is null or ended_at is null),
  constraint one_time_codes_link_whole check ((link_hash is null) = (link_expires_at is null)),
  constraint one_time_codes_link_owner check (
    link_hash is null or (purpose = 'password_reset' and merchant_id is not null)
  )
);
comment on column one_time_codes.link_hash is 'Keyed hash of the link''s token, bound to its purpose';
comment on column one_time_codes.device_hash is 'The known device that requested the code; null for an unrecognised device';
comment on column one_time_codes.email_hash is 'Keyed hash of the email that was entered; attempts are limited by it, whether or not an account has it';
comment on column one_time_codes.ended_at is 'The time at which another code or a new password replaced this one';
create index one_time_codes_by_merchant on one_time_codes (merchant_id, purpose, created_at);
create index one_time_codes_created_at on one_time_codes (created_at);

create table sessions (
  merchant_id       uuid        not null references merchants (id),
  id                uuid        not null,
  created_at        timestamptz not null,
  last_used_at      timestamptz not null,
  expires_at        timestamptz not null,
  ended_at          timestamptz,
  end_reason        text        check (
    end_reason in (
      'signed_out', 'refresh_reused', 'password_reset', 'operator',
      'password_changed', 'ended_by_owner', 'signed_out_everywhere'
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

-- Invariant: only a proven account has sessions, and through them applications, keys and everything else.
create function sessions_guard_proof() returns trigger language plpgsql as $$
begin
  if not exists (select from merchants where id = new.merchant_id and proven_at is not null) then
    raise exception 'merchant % is not proven', new.merchant_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger sessions_guard_proof before insert on sessions for each row execute function sessions_guard_proof();

-- Each row is one link of a session's chain of refresh tokens. A token is good once. The row holds the successor, so that a lost response
-- can be repeated; for that it holds the issue time and the id of a token, and not the token.
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

-- A browser that signed in holds a secret cookie from then on; token_hash is its keyed hash. Limits of an account count each such device
-- apart, and all unrecognised devices together, so that strangers cannot use up the owner's attempts.
create table devices (
  merchant_id       uuid        not null references merchants (id),
  token_hash        bytea       not null check (length(token_hash) = 32),
  first_used_at     timestamptz not null,
  last_used_at      timestamptz not null,
  -- The first time that this browser showed the text of a live key.
  live_key_shown_at timestamptz,
  primary key (merchant_id, token_hash)
);
create index devices_token_hash on devices (token_hash);
create index devices_last_used_at on devices (last_used_at);

-- The time until which further password attempts are refused. A key is a keyed hash of an account and a device, of an account and all
-- unrecognised devices, or of an address.
create table sign_in_failures (
  key          bytea       primary key check (length(key) = 32),
  failures     integer     not null check (failures >= 0),
  locked_until      timestamptz not null,
  expires_at timestamptz not null
);
create index sign_in_failures_expires_at on sign_in_failures (expires_at);

-- A passkey may replace the mailed code. The private half never leaves its owner's device. A credential belongs to one account.
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
comment on column passkeys.synced is 'Whether its vendor copies it to the owner''s other devices';

-- The challenge that a passkey signs, for one sign-in or one session. It is used once, and only the latest counts.
create table passkey_challenges (
  merchant_id uuid        not null references merchants (id),
  purpose     text        not null check (purpose in ('signin', 'add')),
  attempt     uuid        not null,
  challenge   bytea       not null check (length(challenge) = 32),
  expires_at  timestamptz not null,
  primary key (merchant_id, purpose, attempt)
);
comment on column passkey_challenges.attempt is 'The one-time code that the passkey replaces, or the session that adds a passkey';
create index passkey_challenges_expires_at on passkey_challenges (expires_at);
