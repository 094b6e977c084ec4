-- Work that runs after the commit of its cause, at least once. A job whose attempts are used up stays for an operator. due_at is the end of
-- the lease too: a job whose process has died is due again. A gateway runs this file on each other node of Citus, which has a queue of its own beside its
-- shard groups.
create table if not exists public.jobs (
  id           bigint      primary key generated always as identity,
  kind         text        not null check (length(kind) between 1 and 100),
  payload      jsonb       not null check (jsonb_typeof(payload) = 'object'),
  due_at       timestamptz not null default muripo_now(),
  attempts     smallint    not null default 0,
  max_attempts smallint    not null,
  last_error   text,
  created_at   timestamptz not null default muripo_now(),
  constraint jobs_attempts_within_limit check (attempts between 0 and max_attempts)
);
create index if not exists jobs_due on public.jobs (due_at) where attempts < max_attempts;
create index if not exists jobs_given_up on public.jobs (kind) where attempts >= max_attempts;
