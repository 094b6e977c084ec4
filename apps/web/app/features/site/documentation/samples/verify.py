import base64
import hashlib
import hmac
import json
import time


def muripo_event(body: bytes, headers, secret: str):
    """Returns the event of a request that your gateway signed, or None."""
    headers = {name.lower(): value for name, value in headers.items()}
    sent_at = headers.get("webhook-timestamp", "")
    if not sent_at.isdecimal() or abs(time.time() - int(sent_at)) > 300:
        return None
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers.get('webhook-id', '')}.{sent_at}.".encode() + body
    digest = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # Two signatures, separated by a space, while you replace a secret.
    for signature in headers.get("webhook-signature", "").split():
        if hmac.compare_digest(f"v1,{digest}".encode(), signature.encode()):
            return json.loads(body)
    return None
