-- What is left to each caller under each limit, shared by all processes. A row is one window, which its first use opens; its key
-- tells nothing of an address or an account without ours.
create table rate_limits (
  key       bytea       primary key check (length(key) = 32),
  used      integer     not null,
  quota     integer     not null,
  resets_at timestamptz not null,
  check (used between 0 and quota)
);
create index rate_limits_resets_at on rate_limits (resets_at);

-- The contact form counts there too.
drop table contact_senders;
