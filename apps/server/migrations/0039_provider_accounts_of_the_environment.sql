-- The accounts of the environment are stored too. environment_version: the version of the settings that a start wrote from the environment. The
-- settings are the environment's while this is the present version, and an operator's from the next version on.
-- absent_since: the environment no longer has the account. checked_at, check_result: the last check of the credentials.
alter table provider_accounts
  add column environment_version integer,
  add column absent_since        timestamptz,
  add column checked_at          timestamptz,
  add column check_result        text;
alter table provider_accounts add constraint provider_accounts_environment_version
  check (environment_version between 1 and version) not valid;
alter table provider_accounts add constraint provider_accounts_absent_from_environment
  check (absent_since is null or environment_version is not null) not valid;
alter table provider_accounts add constraint provider_accounts_check_result check (
  (checked_at is null) = (check_result is null) and check_result in ('proved', 'unproved', 'refused', 'unclear')
) not valid;
-- The table has a row for each account, so that its validation takes no time.
alter table provider_accounts validate constraint provider_accounts_environment_version;
alter table provider_accounts validate constraint provider_accounts_absent_from_environment;
alter table provider_accounts validate constraint provider_accounts_check_result;
