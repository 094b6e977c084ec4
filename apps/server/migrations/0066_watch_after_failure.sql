-- A provider may pay a call later that it refused or did not know. A failed call is looked up again until the provider's answer is final.
-- Invariant: every failed charge has a watch, and nothing but what failed is watched. The normal life of a payment enters neither index.
alter table payment_attempts
  add column watch_until timestamptz,
  add column next_watch_at timestamptz;
alter table refunds
  add column watch_until timestamptz,
  add column next_watch_at timestamptz;

-- Calls that failed within the last three days are watched from now on; older ones are final.
update payment_attempts set watch_until = updated_at + interval '72 hours',
  next_watch_at = case when updated_at > now() - interval '72 hours' then now() + random() * interval '1 hour' end
  where status = 'failed';
-- A refund that a person failed may never have been sent: what its provider has said anything of, or was asked about, was.
update refunds set watch_until = updated_at + interval '72 hours',
  next_watch_at = case when updated_at > now() - interval '72 hours' then now() + random() * interval '1 hour' end
  where status = 'failed' and paid_late_at is null and (checks > 0 or provider_state is not null);

alter table payment_attempts
  add constraint payment_attempts_failed_is_watched check (status <> 'failed' or watch_until is not null),
  add constraint payment_attempts_only_failed_is_watched
    check (next_watch_at is null or (status = 'failed' and watch_until is not null));
alter table refunds
  add constraint refunds_only_failed_is_watched
    check (next_watch_at is null or (status = 'failed' and watch_until is not null and paid_late_at is null));
create index payment_attempts_watched on payment_attempts (next_watch_at) where next_watch_at is not null;
create index refunds_watched on refunds (next_watch_at) where next_watch_at is not null;
