-- The first sign-in code proves that the account's owner reads its mail. An account without that proof is deleted 48 hours after sign-up
-- with everything that it owns, so that nobody keeps another person's address. An account with it is never deleted here.
alter table merchants
  add column proven_at timestamptz,
  add column prove_by timestamptz not null default now() + interval '48 hours';

comment on column merchants.proven_at is 'When its owner first entered a mailed code; null until then';
comment on column merchants.prove_by is 'When an account that is not proven is deleted';

update merchants set proven_at = proof.at
from (
  select merchant_id, min(at) as at
  from (
    select merchant_id, created_at as at from sessions
    union all
    select merchant_id, used_at from one_time_codes where used_at is not null
  ) proofs
  group by merchant_id
) proof
where proof.merchant_id = merchants.id;

create index merchants_unproven on merchants (id) where proven_at is null;

create function merchants_guard_proof() returns trigger language plpgsql as $$
begin
  if old.proven_at is not null and (tg_op = 'DELETE' or new.proven_at is distinct from old.proven_at) then
    raise exception 'merchant % is proven and stays', old.id using errcode = 'restrict_violation';
  end if;
  return coalesce(new, old);
end $$;
create trigger merchants_guard_proof before update of proven_at or delete on merchants
  for each row execute function merchants_guard_proof();

-- Invariant: only a proven account has sessions, and through them applications, keys and everything else.
create function sessions_guard_proof() returns trigger language plpgsql as $$
begin
  if not exists (select from merchants where id = new.merchant_id and proven_at is not null) then
    raise exception 'merchant % is not proven', new.merchant_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger sessions_guard_proof before insert on sessions for each row execute function sessions_guard_proof();

create function books_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and exists (select from merchants where id = old.merchant_id and proven_at is null) then
    return old;
  end if;
  raise exception 'rows of % stay as they are', tg_table_name using errcode = 'restrict_violation';
end $$;
drop trigger books_append_only on books;
create trigger books_guard before update or delete on books for each row execute function books_guard();

-- An account's claim ends with the account, and with the claim the document.
create or replace function documents_guard_claim() returns trigger language plpgsql as $$
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

-- The log outlives the accounts that it names.
alter table audit_log drop constraint audit_log_merchant_id_fkey;
