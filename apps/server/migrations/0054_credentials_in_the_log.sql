-- The application key or the session that carried a merchant's action: a stolen one is followed by it.
alter table audit_log add column credential text check (length(credential) between 1 and 100);
comment on column audit_log.credential is 'The id of the application key or session of the request; null for everybody else';

-- The text of a key is kept for its owner to read. Nobody reads it once the key is revoked.
alter table application_keys alter column sealed drop not null;
update application_keys set sealed = null where revoked_at is not null;
alter table application_keys
  add constraint application_keys_sealed_in_force check (revoked_at is not null or sealed is not null);

-- When a live key was first shown to this browser, or to a session that came without one the account knows.
alter table devices add column live_key_shown_at timestamptz;
alter table sessions add column live_key_shown_at timestamptz;
