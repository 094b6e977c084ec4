-- How often the outcome of a provider's call could not be recorded. After a few failures the row leaves the schedule of look-ups
-- (next_check_at is null while it is open), which puts it before an operator.
alter table payment_attempts add column outcome_failures integer not null default 0 check (outcome_failures >= 0);
alter table refunds add column outcome_failures integer not null default 0 check (outcome_failures >= 0);
