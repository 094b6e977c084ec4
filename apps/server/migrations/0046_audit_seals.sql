-- The entries of the audit log are sealed in the order of their transactions: each seal hashes the entries since the seal before it, and the
-- hash of that seal. Entries of an earlier version have no position, and are sealed first, by their id.
alter table audit_log add column position bigint;
comment on column audit_log.position is 'transaction_position() of its transaction; null for an entry of an earlier version';

-- A trigger and no default, because entries of a shard group are inserted through a view.
create function audit_log_set_position() returns trigger language plpgsql as $$
begin
  new.position := transaction_position();
  return new;
end $$;
create trigger audit_log_set_position before insert on audit_log for each row execute function audit_log_set_position();

-- The bytes of a text: absent, or its length and its characters, so that no two lists of texts have the same bytes.
create function audit_bytes(value text) returns bytea language sql stable parallel safe as $$
  select case when value is null then '\x00'::bytea
    else '\x01'::bytea || int4send(octet_length(convert_to(value, 'UTF8'))) || convert_to(value, 'UTF8') end
$$;

-- Times are hashed in the microseconds that the database stores.
create function audit_time_bytes(value timestamptz) returns bytea language sql stable parallel safe as $$
  select int8send((extract(epoch from value) * 1000000)::bigint)
$$;

create function audit_row_hash(
  "position" bigint, id uuid, at timestamptz, actor_kind text, actor text, credential text, person_id uuid, account_id uuid, action text, subject text,
  address text, request_id text, details jsonb
) returns bytea language sql stable parallel safe as $$
  select sha256(
    int8send(coalesce("position", 0)) || uuid_send(id) || audit_time_bytes(at)
    || audit_bytes(actor_kind) || audit_bytes(actor) || audit_bytes(credential) || audit_bytes(person_id::text) || audit_bytes(account_id::text)
    || audit_bytes(action) || audit_bytes(subject) || audit_bytes(address) || audit_bytes(request_id) || audit_bytes(details::text)
  )
$$;

create function audit_seal_hash(
  prev_hash bytea, n bigint, last_position bigint, last_id uuid, entries integer, sealed_at timestamptz, hash_of_rows bytea
) returns bytea language sql stable parallel safe as $$
  select sha256(
    prev_hash || int8send(n) || int8send(last_position) || uuid_send(last_id) || int4send(entries) || audit_time_bytes(sealed_at) || hash_of_rows
  )
$$;

-- Invariant: the seals form one chain, whose last hash depends on each entry and each seal before it.
create table audit_seals (
  n             bigint      primary key check (n >= 1),
  last_position bigint      not null,
  last_id       uuid        not null,
  entries       integer     not null check (entries > 0),
  sealed_at     timestamptz not null,
  prev_hash     bytea       not null unique check (length(prev_hash) = 32),
  hash          bytea       not null unique check (length(hash) = 32)
);
comment on column audit_seals.last_id is 'The last entry of the seal; its first one follows the last entry of the seal before';
create trigger audit_seals_append_only before update or delete on audit_seals
  for each row execute function refuse_change();
create trigger audit_seals_no_truncate before truncate on audit_seals
  for each statement execute function refuse_change();
