-- Sign-ins are written down too, and those that fail: by somebody of whom nothing is known but the address.
alter table audit_log
  drop constraint audit_log_actor_kind_check,
  add constraint audit_log_actor_kind_check check (actor_kind in ('merchant', 'operator', 'visitor'));

alter table sessions
  drop constraint sessions_end_reason_check,
  add constraint sessions_end_reason_check
    check (end_reason in ('signed_out', 'refresh_reused', 'password_reset', 'operator'));
