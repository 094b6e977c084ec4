-- An invitation of a person to a merchant's team. The mailed link has 256 random bits, of which the row holds a keyed hash. It is good once,
-- for as long as the person who sent it may still grant its role.
create table invitations (
  merchant_id  uuid        not null references merchants (id) on delete cascade,
  id           uuid        not null,
  token_hash   bytea       not null unique check (length(token_hash) = 32),
  email        text        not null check (length(email) between 3 and 254),
  role         text        not null check (role in ('admin', 'developer', 'finance', 'support', 'cashier', 'viewer')),
  applications uuid[]      check (cardinality(applications) between 1 and 50),
  invited_by   uuid        not null references persons (id) on delete cascade,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  ended_at     timestamptz,
  primary key (merchant_id, id)
);
comment on column invitations.ended_at is 'The time at which it was accepted, withdrawn or replaced';

-- Invariant: a merchant has at most one open invitation of an email.
create unique index invitations_one_open on invitations (merchant_id, lower(email)) where ended_at is null;
create index invitations_created_at on invitations (created_at);
create index invitations_invited_by on invitations (invited_by);

-- A hand-over of the ownership that the owner has started and the next owner has not confirmed.
--
-- Invariant: a merchant has at most one, between two of its members.
create table ownership_transfers (
  merchant_id uuid        primary key,
  from_person uuid        not null,
  to_person   uuid        not null check (to_person <> from_person),
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  foreign key (merchant_id, from_person) references memberships (merchant_id, person_id) on delete cascade,
  foreign key (merchant_id, to_person) references memberships (merchant_id, person_id) on delete cascade
);
