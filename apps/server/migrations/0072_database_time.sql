-- The time by which deadlines, leases and windows are decided: the database's, to the millisecond, as the gateway reads times. A session
-- of a test, or of a program that fills a demonstration, sets muripo.now to a time of its own; a gateway never does, and refuses to start
-- where it is set.
create function muripo_now() returns timestamptz language sql stable parallel safe
  return coalesce(nullif(current_setting('muripo.now', true), '')::timestamptz, date_trunc('milliseconds', statement_timestamp()));
