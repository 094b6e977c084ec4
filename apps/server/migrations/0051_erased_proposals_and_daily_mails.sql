-- The erasure of a merchant removes names, banking details and reasons from the closed proposals about it. The kinds, the deciders,
-- the times and the ids stay.
--
-- Invariant: an erasure blanks a closed proposal whole and once, and changes nothing else of it.
alter table proposals add column erased_at timestamptz;

create or replace function proposals_guard() returns trigger language plpgsql as $$
declare
  erased_at timestamptz;
begin
  if tg_op = 'UPDATE' and old.state <> 'open' and old.erased_at is null and new.erased_at is not null then
    erased_at := new.erased_at;
    new := old;
    new.erased_at := erased_at;
    new.payload := '{}';
    new.subject_version := '';
    new.about := 'Erased';
    new.diff := '[]';
    new.reason := 'Erased';
    new.decision_reason := case when old.decision_reason is not null then 'Erased' end;
    return new;
  end if;
  if tg_op = 'DELETE' or old.state <> 'open' then
    raise exception 'proposal % is a record', old.id using errcode = 'restrict_violation';
  end if;
  if (old.id, old.kind, old.subject, old.account_id, old.payload, old.subject_version, old.about, old.diff, old.reason, old.proposed_by, old.proposed_at, old.expires_at, old.erased_at)
    is distinct from
    (new.id, new.kind, new.subject, new.account_id, new.payload, new.subject_version, new.about, new.diff, new.reason, new.proposed_by, new.proposed_at, new.expires_at, new.erased_at) then
    raise exception 'proposal % is executed as it was proposed', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- The daily email about waiting work.
--
-- Invariant: an operator has one each day, because the transaction that queues it moves the time.
alter table operators add column mailed_at timestamptz;
