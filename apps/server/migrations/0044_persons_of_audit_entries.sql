alter table audit_log add column person_id uuid;
comment on column audit_log.person_id is 'The person of the session; null for everybody else and for entries before persons had ids of their own';
