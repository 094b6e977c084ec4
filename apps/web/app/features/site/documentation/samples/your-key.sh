export MURIPO_URL="https://pay.example.com"
export MURIPO_KEY="mk_test_your_application_key"
