-- A document is claimed by the one account that is opened with it. What nobody claims is removed: first it is marked, so that nobody can
-- claim it any more, then the file goes, then the row; a crash in between leaves a row from which the rest is done later.
alter table documents
  add column claimed_at timestamptz,
  add column discarded_at timestamptz,
  add constraint documents_one_fate check (claimed_at is null or discarded_at is null);

update documents set claimed_at = merchants.created_at from merchants where merchants.document_id = documents.id;

create index documents_unclaimed on documents (uploaded_at) where claimed_at is null;

-- The file of an account must never be among those that are removed.
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

create function documents_guard_claim() returns trigger language plpgsql as $$
begin
  if old.claimed_at is not null and (tg_op = 'DELETE' or new.claimed_at is distinct from old.claimed_at) then
    raise exception 'a claimed document stays' using errcode = 'check_violation';
  end if;
  return coalesce(new, old);
end $$;

create trigger documents_guard_claim before update or delete on documents
  for each row execute function documents_guard_claim();
