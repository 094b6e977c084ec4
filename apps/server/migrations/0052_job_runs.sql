-- A run of background work as operators see it: each failed run, and one a minute of the others of a name.
create table job_runs (
  id         bigint      primary key generated always as identity,
  name       text        not null check (length(name) between 1 and 100),
  started_at timestamptz not null,
  took_ms    integer     not null check (took_ms >= 0),
  error      text        check (length(error) between 1 and 1000)
);
comment on column job_runs.error is 'Null for a run without a failure';
create index job_runs_by_name on job_runs (name, id);
create index job_runs_failed on job_runs (id) where error is not null;
create index job_runs_started_at on job_runs (started_at);
