-- The owner sees where the account is signed in: which browser, and roughly from where. The log has the whole address.
alter table sessions
  add column browser text check (length(browser) between 1 and 100),
  add column network text check (length(network) between 1 and 64),
  drop constraint sessions_end_reason_check,
  add constraint sessions_end_reason_check check (
    end_reason in (
      'signed_out', 'refresh_reused', 'password_reset', 'operator',
      'password_changed', 'ended_by_owner', 'signed_out_everywhere'
    )
  );

comment on column sessions.browser is 'Which it was when the session was opened; null for sessions older than this column';
comment on column sessions.network is 'The address it was opened from, without its last part';
