# 1. Get an API key from the dashboard, keep it in MURIPO_KEY
# 2. Authenticate: it is the bearer key of every call
# 3. Create a payment at your gateway, MURIPO_URL
curl "$MURIPO_URL/api/v1/payments" \
  -H "Authorization: Bearer $MURIPO_KEY" \
  -H "Content-Type: application/json" \
  -d '{ "amount": 25, "currency": "USD", "description": "Order 1001" }'
