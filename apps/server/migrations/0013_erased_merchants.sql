-- The time at which the personal details of a closed merchant were replaced. The row stays, because the ledger refers to it.
--
-- Invariant: only a closed merchant is erased, and never restored.
alter table merchants add column erased_at timestamptz;
create function merchants_guard_erasure() returns trigger language plpgsql as $$
begin
  if old.erased_at is not null or new.status <> 'closed' then
    raise exception 'merchant % is not closed, or was erased', new.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger merchants_guard_erasure before update on merchants
  for each row when (old.erased_at is distinct from new.erased_at) execute function merchants_guard_erasure();
