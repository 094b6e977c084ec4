-- A person of the company, who signs in to the console with a passkey. The row of an operator who was removed stays, and is used again when
-- the same email is added again: nobody approves an own proposal under a second row.
create table operators (
  id         uuid        primary key,
  email      text        not null check (length(email) between 3 and 254),
  name       text        not null check (length(name) between 1 and 200),
  role       text        not null check (role in ('support', 'risk', 'finance', 'admin')),
  created_at timestamptz not null,
  removed_at timestamptz
);
create unique index operators_email on operators (lower(email));

-- The link that `operators add` prints has 256 random bits, of which the row holds a keyed hash.
--
-- Invariant: a link registers one passkey.
create table operator_enrolments (
  token_hash  bytea       primary key check (length(token_hash) = 32),
  operator_id uuid        not null references operators (id),
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  ended_at    timestamptz
);
comment on column operator_enrolments.ended_at is 'The time at which it was used or replaced';
create unique index operator_enrolments_one_open on operator_enrolments (operator_id) where ended_at is null;
create index operator_enrolments_created_at on operator_enrolments (created_at);

create table operator_passkeys (
  id            uuid        primary key,
  operator_id   uuid        not null references operators (id),
  credential_id bytea       not null unique check (length(credential_id) between 1 and 1023),
  public_key    bytea       not null check (length(public_key) between 1 and 2048),
  sign_count    bigint      not null check (sign_count >= 0),
  created_at    timestamptz not null,
  last_used_at  timestamptz
);
create index operator_passkeys_by_operator on operator_passkeys (operator_id);

-- A challenge that an authenticator signs, once. A sign-in does not yet have an operator; an approval has its proposal as the subject.
create table operator_challenges (
  challenge   bytea       primary key check (length(challenge) = 32),
  purpose     text        not null check (purpose in ('enrol', 'sign_in', 'approve')),
  operator_id uuid        references operators (id),
  subject     uuid,
  expires_at  timestamptz not null,
  check ((operator_id is null) = (purpose = 'sign_in')),
  check ((subject is not null) = (purpose = 'approve'))
);
create index operator_challenges_expires_at on operator_challenges (expires_at);

create table operator_sessions (
  id           uuid        primary key,
  token_hash   bytea       not null unique check (length(token_hash) = 32),
  operator_id  uuid        not null references operators (id),
  created_at   timestamptz not null,
  last_used_at timestamptz not null,
  expires_at   timestamptz not null,
  ended_at     timestamptz
);
create index operator_sessions_by_operator on operator_sessions (operator_id) where ended_at is null;
create index operator_sessions_expires_at on operator_sessions (expires_at);

-- Personal data that an operator sees for a short time, with the reason.
create table operator_reveals (
  operator_id uuid        not null references operators (id),
  subject     text        not null check (length(subject) <= 64),
  reason      text        not null check (length(reason) between 1 and 300),
  expires_at  timestamptz not null,
  primary key (operator_id, subject)
);
create index operator_reveals_expires_at on operator_reveals (expires_at);

-- A decision that two operators make. The approval executes the stored payload in the transaction that sets the state.
--
-- Invariants: nobody approves or rejects an own proposal. A subject has at most one open proposal of a kind. A proposal is executed if and
-- only if it is approved, and once. A closed proposal never changes.
create table proposals (
  id              uuid        primary key,
  kind            text        not null check (kind in ('merchant.approve', 'merchant.resume', 'merchant.close', 'attempt.resolve', 'refund.resolve')),
  subject         text        not null check (length(subject) <= 64),
  account_id      uuid        not null,
  payload         jsonb       not null,
  subject_version text        not null,
  about           text        not null,
  diff            jsonb       not null,
  reason          text        not null check (length(reason) between 1 and 300),
  state           text        not null default 'open' check (state in ('open', 'approved', 'rejected', 'withdrawn', 'stale', 'expired')),
  proposed_by     uuid        not null references operators (id),
  proposed_at     timestamptz not null,
  expires_at      timestamptz not null,
  decided_by      uuid        references operators (id),
  decided_at      timestamptz,
  decision_reason text,
  executed_at     timestamptz,
  constraint proposals_second_person check (state not in ('approved', 'rejected') or decided_by <> proposed_by),
  constraint proposals_withdrawn_by_proposer check (state <> 'withdrawn' or decided_by = proposed_by),
  constraint proposals_decided check ((state in ('approved', 'rejected', 'withdrawn')) = (decided_by is not null)),
  constraint proposals_closed check ((state = 'open') = (decided_at is null)),
  constraint proposals_executed check ((state = 'approved') = (executed_at is not null))
);
comment on column proposals.subject_version is 'The version of the subject that the proposer saw; an approval of another version is refused';
create unique index proposals_one_open on proposals (kind, subject) where state = 'open';
create index proposals_by_state on proposals (state, id);
create index proposals_of_account on proposals (account_id) where state = 'open';

create function proposals_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.state <> 'open' then
    raise exception 'proposal % is a record', old.id using errcode = 'restrict_violation';
  end if;
  if (old.id, old.kind, old.subject, old.account_id, old.payload, old.subject_version, old.about, old.diff, old.reason, old.proposed_by, old.proposed_at, old.expires_at)
    is distinct from
    (new.id, new.kind, new.subject, new.account_id, new.payload, new.subject_version, new.about, new.diff, new.reason, new.proposed_by, new.proposed_at, new.expires_at) then
    raise exception 'proposal % is executed as it was proposed', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger proposals_guard before update or delete on proposals for each row execute function proposals_guard();
