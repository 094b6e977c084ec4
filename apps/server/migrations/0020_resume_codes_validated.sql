-- Read without a lock that would stop the earlier version.
alter table resume_codes validate constraint resume_codes_code_check;
